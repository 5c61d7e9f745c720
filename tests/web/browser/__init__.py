"""The page in Debian's Chromium.

In this folder a test is an `async def`; it runs in the browser's event loop (`house.py`). Ask for a fixture:

- `screen`: `await screen.open(address)` opens a page as a phone of its own (nothing is shared with the others);
  `await screen.serve(app)` serves an application on a free port and gives its address. Errors that a page
  reports fail the test, unless `screen.expects` names a part of their text.
- `hall`: a table of Above without a picture: the test lays the pieces, `await hall.open()` shows the page.
- `evening.py`: a whole simulated table that plays in virtual time behind a real page, without a picture to be read.

Everything is closed after the test. The browser is started once a run.
"""
