"""The link to the table controller: protocol, serial link and a virtual controller."""
