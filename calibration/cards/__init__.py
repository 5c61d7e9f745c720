"""The cards of the owner's boxes, registered one by one: what is asked of a card, and where it is kept."""
