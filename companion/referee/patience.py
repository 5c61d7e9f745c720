"""Patience: how many looks and how long (seconds) it takes until something is said of the table."""

from __future__ import annotations

# A refusal needs this many settled looks in a row that agree, and this long; one look is never enough to accuse anybody.
# Where something is merely not seen, a marker may be blurred or a piece being straightened.
ILLEGAL_LOOKS = 2
# What a print alone says, which token or card it is, two looks may misread alike: so many in all, before it accuses
# anybody.
ILLEGAL_PRINT_LOOKS = 3
# Which token was laid and which card was turned only the print itself tells: that takes a second look, too.
TOLD_BY_PRINTS = 2
# Two turns that nobody saw are told apart by cards alone, and before the gap a card may have lain otherwise than now: two
# looks that misread the same one would make up turns that were not played. So many must say the same.
UNSEEN_LOOKS = 4
MISSING_S = 1.5
# While hands move beside the game somebody may be in the middle of an act, but not for ever (turns and refusals).
BESIDE_S = 1.0
# Under a hand that lies over the board there may be more of the same turn, which is whose turn it was and nobody else's;
# but an arm may rest there for minutes.
UNDER_HAND_S = 6.0
IN_HAND_S = 6.0
QUESTION_S = 1.5
# What is refused, or asked for, for so long is either being talked about or wrongly so: then it can be objected to, in
# both games.
OBJECTION_S = 6.0
# Whoever is told for so long to finish a turn thinks about it, or has played another one than was believed.
UNFINISHED_S = 15.0
# While a camera is away a turn that switches alone tell is over when nothing has changed for so long: one that breaks
# just then is not taken for the token that is still in somebody's hand.
SURE_S = 3.0
# What switches alone tell is looked at longer before anybody is accused.
BLIND_S = 2.0
# Two turns are looked for in portions, so many paths a look, so that no look takes longer than a picture.
PORTION = 500
# By the switches alone many more turns may have been played: one look tries so many paths of all of them.
BLIND_PORTION = 2000
# Where something of a turn cannot be told from switches, it may still be done; so long, and it is asked for.
BLIND_QUESTION_S = 4.0
# Where switches alone have told nothing new for so long, what was played can be told.
TELL_S = 5.0
# Nobody plays on by their light sooner than so long after it has called them.
FOLLOWED_S = 1.0
# Whoever was called by a turn that may be read otherwise, has touched something and then nothing for so long, may have
# played what no switch tells: then it has to be known which turn that was.
CALLED_S = 10.0
# A token that was asked to be taken off for so long, and that only a switch still feels, has gone: the switch is stuck.
OWED_S = 60.0
# A told turn is believed against so many switches; against more, it was told of another table.
MOST_BROKEN = 2
# A turn that was put back piece by piece is taken back; one that is being put back is given this long for the next.
RESTORED_S = 0.8
# So long a new set-up stands there instead of a game that was opened again, and it is a new game.
ANOTHER_S = 2.0
RESTORING_S = 4.0
