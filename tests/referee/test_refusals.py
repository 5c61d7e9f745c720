"""What is against the rules is said with the smallest rule broken and the way back, and accepted once put right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from companion.games.above.action import Action
from companion.games.above.board import SPACES
from companion.games.above.box import TOKENS, Table
from companion.games.above.position import Position
from companion.games.above.rules import apply
from companion.referee import reason
from companion.referee.evidence import Evidence
from companion.referee.hypothesis import Hypothesis, Item, Trajectory
from companion.referee.trajectory import extended
from companion.referee.verdict import Kind, Mark, Verdict
from companion.virtual.illegal import is_explainable
from companion.virtual.mischief import KINDS, after_deeds
from companion.virtual.truth import Lie, lie_of
from tests.referee.tabletop import Tabletop, random_position
from tests.referee.test_referee import START, Session, started
from tests.sentences import sentences, unsaid

LONG = 120  # looks: longer than anybody is given to put a piece down


def lying(position: Position, lie: Lie) -> Tabletop:
    """The table as it lies."""
    table = Tabletop.of(position)
    table.minis = dict(lie.minis)
    table.tokens = set(lie.tokens)
    table.cards = [
        Counter({deity: count for (at, deity), count in lie.cards.items() if at == seat and count > 0})
        for seat in range(position.players)
    ]
    return table


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_illegal_move_is_named_and_accepted_again_once_put_right(
    kind: str, players: int
) -> None:
    shown = 0
    for seed in range(60):
        rng = random.Random(f"{kind} {players} {seed}")
        position = random_position(players, rng.randint(0, 25), rng)
        deeds = KINDS[kind](position, rng)
        if not deeds:
            continue
        lie = after_deeds(lie_of(position), deeds)
        if is_explainable(position, lie):
            continue
        session = Session(position, players)
        assert session.look(Tabletop.of(position)).kind is Kind.READY
        verdict = session.look(lying(position, lie), LONG)
        assert verdict.kind is Kind.ILLEGAL, (kind, seed, verdict)
        assert verdict.rule, verdict
        (written,) = session.notes.refusals
        assert written.endswith(verdict.todo[0].text)
        # One that has stood for long may say besides how it can be taken as it lies.
        assert verdict.text.startswith(written)
        assert "eat 0" not in verdict.text and "eat 1" not in verdict.text, "people have names"
        assert session.look(Tabletop.of(position)).kind is Kind.READY
        shown += 1
        if shown == 3:
            return
    assert shown, "no position of this kind was found"


def refused(
    change: dict[str, str | None],
    said: str,
    *,
    start: str = START,
    add: str = "",
    take: str = "",
    spent: str = "",
) -> Verdict:
    """The verdict on a table in which miniatures stand otherwise, tokens were laid or taken, cards turned.

    `add`, `take`: "gate c3 …"; `spent`: "0 ze …", with a + before a deity that lies Powered again.
    """
    session, table = started(start)
    table.minis.update(change)
    words = add.split()
    table.tokens |= set(zip(words[::2], words[1::2], strict=True))
    words = take.split()
    table.tokens -= set(zip(words[::2], words[1::2], strict=True))
    words = spent.split()
    for seat, deity in zip(words[::2], words[1::2], strict=True):
        table.cards[int(seat)][deity.removeprefix("+")] = int(deity.startswith("+"))
    verdict = session.look(table, LONG)
    assert verdict.kind is Kind.ILLEGAL, verdict
    assert verdict.text.startswith(said), verdict.text
    assert session.look(Tabletop.of(Position.parse(start))).kind is Kind.READY
    return verdict


NO_HERA = START.replace(" ze.he.", " ze.")
NO_FLOOD = START.replace("de.po.ap/", "de.ap/")
CASES: tuple[tuple[dict[str, str | None], str, dict[str, str]], ...] = (
    (
        {"he": "d1"},
        "Zeus has been activated, so Zeus must move, not Hera (phase 2).",
        {"spent": "0 ze"},
    ),
    ({"ze": "a3"}, "Zeus cannot reach a3: a step leads one space forward or sideways (phase 2, A6).", {}),
    ({"ze": "top"}, "Zeus cannot reach the summit: a step leads one space", {"spent": "0 ze"}),
    (
        {"he": "c1", "ze": "a1"},
        "Hera cannot step back: a miniature moves forward or sideways (phase 2, A6).",
        {"spent": "0 he", "start": START.replace("he=c1", "he=c2")},
    ),
    (
        {"po": "m2", "he": "c4"},
        "Poseidon can move Hera one ring back to c1, not to c4 (A13).",
        {"spent": "0 po", "start": START.replace("he=c1", "he=c2")},
    ),
    (
        {"ze": "c6"},
        "Zeus must jump to the space of another Gate, to h3 or l6, not to c6 (A9).",
        {"spent": "0 ze", "start": START.replace("gate=h3.l6", "gate=a2.h3.l6"), "take": "gate a2 gate h3"},
    ),
    ({}, "It is Ada's turn: Ben's Hera card stays Powered (phase 1).", {"start": NO_HERA, "spent": "1 he"}),
    (
        {},
        "Ada has activated Hera: one card a turn is exhausted, not Zeus too (phase 1).",
        {"start": START.replace("ze.he.ar.at.ha", "ze.he.ar.ha", 1), "spent": "0 ze 0 he"},
    ),
    ({}, "Ada's Hera card stays Spent: cards are recovered only", {"start": NO_HERA, "spent": "0 +he"}),
    (
        {"ze": "a2"},
        "The power of Zeus is a Thunder token, not a Gate token (phase 3).",
        {"spent": "0 ze", "add": "gate c5"},
    ),
    (
        {"ze": "a2"},
        "Zeus places one Thunder token, and there are new ones on c5 and d5 (phase 3).",
        {"spent": "0 ze", "add": "thunder c5 thunder d5"},
    ),
    (
        {"ar": "e2"},
        "Ares places two Barrier tokens, and there are new ones on c5, d5 and e5 (phase 3).",
        {"spent": "0 ar", "add": "barrier c5 barrier d5 barrier e5"},
    ),
    (
        {"ze": "a2"},
        "Zeus triggered Thunder while moving, so its power is skipped; Ben is next (A7).",
        {
            "spent": "0 ze",
            "start": START.replace("thunder=b5.f5", "thunder=b3.f5"),
            "take": "thunder b3",
            "add": "thunder d6",
        },
    ),
    (
        {"ze": "a2"},
        "The Reserve still has Thunder tokens (4): place one of them (A12).",
        {"spent": "0 ze", "take": "thunder b5", "add": "thunder c5 thunder d5"},
    ),
    ({}, "No token can be removed yet", {"start": NO_FLOOD, "take": "thunder b5"}),
    (
        {"at": "g2"},
        "Athena exhausts at most two cards of Ada, not Zeus too (A16).",
        {"spent": "0 at 0 ze 0 ap 0 po"},
    ),
    (
        {},
        "The Thunder token stays on b5: only Poseidon, or a miniature that triggers it, takes a token off (A13).",
        {"start": NO_FLOOD, "take": "thunder b5", "add": "thunder b4"},
    ),
)


@pytest.mark.parametrize(("change", "said", "more"), CASES)
def test_the_smallest_rule_broken_is_said(
    change: dict[str, str | None], said: str, more: dict[str, str]
) -> None:
    verdict = refused(change, said, **more)
    spaces = dict(verdict.marks)
    for deity, space in change.items():
        if space in spaces and deity:
            assert spaces[space] is Mark.WRONG


def reason_for(wrong: Sequence[Item], table: Tabletop, actions: str, start: str) -> str:
    """The reason of the first of `wrong` when nothing better than this turn was found, and they are wrong with it."""
    positions = [Position.parse(start)]
    made = tuple(Action.parse(text) for text in actions.split(", ") if text)
    trajectory: Trajectory = {}
    for action in made:
        after = apply(positions[-1], action)
        trajectory = extended(trajectory, positions[-1], action, after)
        positions.append(after)
    best = Hypothesis(made, tuple(positions), trajectory, 0.0, 0.0, tuple(wrong), (), ())
    evidence = Evidence(table.reading(), 2, Table())
    return reason.Reasons(positions[0], best, evidence, ("Ada", "Ben")).reason(wrong[0])


def moved(**minis: str | None) -> Tabletop:
    table = Tabletop.of(Position.parse(START))
    table.minis.update(minis)
    return table


# What is said when every single act would be legal, and the whole is not.
LAST_RESORTS: tuple[tuple[Item, Tabletop, str, str], ...] = (
    (("mini", 0, 0), moved(ze=None), "", "Zeus is missing from the board."),
    (("mini", 0, 0), moved(ze="b1"), "", "Zeus cannot have come to b1 this turn."),
    (
        ("card", 0, 0),
        moved(),
        "",
        "Ada's Hera card cannot have been exhausted by anything that lies on the table (phase 1).",
    ),
    (
        ("reed", SPACES.index("d4"), 0),
        moved(),
        "",
        "Something stands on d4 that cannot have come there this turn.",
    ),
    (
        ("token", 0, SPACES.index("b5")),
        moved(po="m2"),
        "activate po, move po m2",
        "The Thunder token is missing from b5: nothing took it away.",
    ),
    (
        ("token", 0, SPACES.index("d5")),
        moved(ze="a2"),
        "activate ze, move ze a2",
        "No Thunder token may lie on d5 now.",
    ),
)


def last_resort(item: Item, table: Tabletop, actions: str, said: str) -> None:
    if item[0] == "card":
        item = ("card", 0, 1)
        table.cards[0]["he"] = 0
    if item[0] == "token":
        slot = (TOKENS[item[1]], SPACES[item[2]])
        table.tokens ^= {slot}
    start, wrong = START, [item]
    if said.startswith("No Thunder"):
        # All six are on the board, and one of them may be shifted.
        start = START.replace("thunder=b5.f5", "thunder=a6.b5.c6.d6.e6.f5")
        table.tokens = {("thunder", space) for space in ("a6", "b5", "d5", "d6", "e6", "f5")}
        wrong.append(("token", 0, SPACES.index("c6")))
    assert reason_for(wrong, table, actions, start).startswith(said)


@pytest.mark.parametrize(("item", "table", "actions", "said"), LAST_RESORTS)
def test_where_no_single_rule_is_broken_that_is_said(
    item: Item, table: Tabletop, actions: str, said: str
) -> None:
    last_resort(item, table, actions, said)


def _tokens_and_cards() -> tuple[set[tuple[str, str]], list[Counter[str]]]:
    table = Tabletop.of(Position.parse(START))
    return table.tokens, table.cards


def test_every_reason_that_the_referee_can_give_is_given_above() -> None:
    def say_all() -> None:
        for change, said, more in CASES:
            refused(change, said, **more)
        for item, table, actions, words in LAST_RESORTS:
            last_resort(item, Tabletop(2, dict(table.minis), *_tokens_and_cards()), actions, words)

    assert len(sentences(reason)) >= 8
    assert unsaid(reason, say_all) == []
