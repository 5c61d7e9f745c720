"""Set-up: the contender row is read off the table, and with it the rounds; and what a known game lacks."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.olympeak.box import Box
from companion.games.olympeak.cards import STARRED_CONTENDER, contenders_in_play
from companion.games.olympeak.names import contender_name, cube_name
from companion.games.olympeak.position import GameState, Player, Setup
from companion.messages import say
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.misfits import placed_misfits
from companion.referee.olympeak.refusal import remedies
from companion.referee.olympeak.scoreboard import ROUND
from companion.referee.verdict import Todo
from companion.sensing.olympeak.reading import OlympeakReading


def read_setup(
    reading: OlympeakReading, players: Sequence[Player], box: Box, ranking: str
) -> tuple[Setup | None, tuple[Todo, ...]]:
    """The set-up that lies on the table (O1), or what is still missing of it."""
    todo = (*_row_missing(reading, len(players)), *_not_empty(reading), *_not_at_start(reading))
    if todo:
        return None, todo
    row = reading.contenders
    return Setup(tuple(players), row, box.rounds(row), box.deck, ranking), ()


def start_targets(players: int) -> dict[str, int]:
    """Where cubes and round marker stand when a game begins."""
    return {**dict.fromkeys(contenders_in_play(players), 0), ROUND: 1}


def differences(state: GameState, look: Look) -> tuple[Todo, ...]:
    """Every act that makes the columns show the state; nothing for what is covered."""
    misfits, _, askew = placed_misfits(state, look)
    acts, _ = remedies(state, misfits)
    straight = (
        Todo(
            say("olympeak.lay_straight", card=each.card, contender=contender_name(each.contender)),
            f"column {each.contender}",
        )
        for each in askew
    )
    return (*acts, *straight)


def _row_missing(reading: OlympeakReading, players: int) -> list[Todo]:
    wanted = contenders_in_play(players)
    todo = [
        Todo(say("olympeak.lay_contender", contender=contender_name(contender)), f"column {contender}")
        for contender in wanted
        if contender not in reading.contenders
    ]
    if STARRED_CONTENDER in reading.contenders and STARRED_CONTENDER not in wanted:
        todo.insert(
            0,
            Todo(
                say("olympeak.contender_out", players=players, contender=contender_name(STARRED_CONTENDER)),
                f"column {STARRED_CONTENDER}",
            ),
        )
    return todo


def _not_empty(reading: OlympeakReading) -> list[Todo]:
    return [
        Todo(say("olympeak.take_card_away", card=each.card), f"column {each.contender}")
        for each in reading.columns
    ]


def _not_at_start(reading: OlympeakReading) -> list[Todo]:
    todo = [
        Todo(say("olympeak.cube_on_start", cube=cube_name(each.contender)), f"cube {each.contender}")
        for each in reading.cubes
        if each.place != 0
    ]
    if reading.round_marker not in (None, 1):
        todo.append(Todo(say("olympeak.marker_on_one"), ROUND))
    return todo
