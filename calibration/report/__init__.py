"""The report: everything measured at a table and its last preflight, with pictures, as one page to keep or to send."""
