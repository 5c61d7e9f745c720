"""The snapshot of an OlymPeak table for the page. Nothing of a hand or of a tile face down is in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.olympeak.cards import contenders_in_play
from companion.games.olympeak.events import Predictions
from companion.games.olympeak.position import GameState, Phase
from companion.referee.olympeak.look import Look
from companion.referee.olympeak.referee import OlympeakReferee
from companion.referee.olympeak.scoreboard import ROUND
from companion.referee.verdict import Kind, Mark
from companion.sensing.olympeak.reading import OlympeakReading
from companion.web.models import (
    ColumnView,
    CubeView,
    DeviceView,
    HistoryLine,
    OlympeakView,
    PlacedView,
    PlayCardView,
    PlayerView,
    ResultView,
    Snapshot,
    VerdictView,
    ZoneView,
)

HISTORY_LINES = 30


def olympeak_snapshot(
    referee: OlympeakReferee,
    reading: OlympeakReading | None,
    devices: Sequence[DeviceView],
    *,
    paused: bool = False,
) -> Snapshot:
    """Everything the page shows, from the referee's state and the newest settled reading."""
    turns = referee.turns
    history = tuple(
        HistoryLine(turn=number + 1, seat=unit.seat, name=referee.names[unit.seat], text=unit.text)
        for number, unit in enumerate(turns)
        if unit.text and not unit.is_open
    )
    return Snapshot(
        game="olympeak",
        players=tuple(PlayerView(seat=seat, name=name) for seat, name in enumerate(referee.names)),
        simulated=any(device.simulated for device in devices),
        devices=tuple(devices),
        verdict=VerdictView.of(referee.verdict, len(turns)),
        turn=len(turns),
        paused=paused,
        history=history[-HISTORY_LINES:],
        olympeak=_view(referee, reading),
    )


def _view(referee: OlympeakReferee, reading: OlympeakReading | None) -> OlympeakView:
    state = referee.current
    if state is None:
        return OlympeakView(
            phase="setup",
            contenders=() if reading is None else reading.contenders,
            zones=tuple(ZoneView(seat=seat, state="empty") for seat in range(referee.players)),
            cubes=_cubes(dict.fromkeys(contenders_in_play(referee.players), 0), referee.scoreboard.seen),
            assumed=referee.box.assumed,
        )
    look = None
    if reading is not None and reading.frame == "ok":
        look = Look.of(referee.corrected(reading), state.placed)
    # A card that lies there against the game is shown where people are to put it right, or to say what it is.
    wrong = look if referee.verdict.kind in (Kind.ILLEGAL, Kind.SETUP) else None
    back = {part for part, mark in referee.verdict.marks if mark is Mark.REMOVE}
    last = referee.events[-1] if referee.turns else None
    view = state_view(
        state,
        tiles=last if isinstance(last, Predictions) else None,
        findings=referee.findings,
        assumed=referee.box.assumed,
    )
    return view.model_copy(
        update={
            "columns": tuple(_column(state, contender, wrong) for contender in state.setup.contenders),
            "zones": tuple(_zone(state, seat, look, f"reveal {seat}" in back) for seat in state.setup.seats),
            "cubes": _cubes(state.cube, referee.scoreboard.seen),
            "round_seen": referee.scoreboard.seen.get(ROUND),
        }
    )


def state_view(
    state: GameState,
    *,
    tiles: Predictions | None = None,
    findings: Sequence[str] = (),
    assumed: bool = False,
) -> OlympeakView:
    """The table as a state has it, whatever lies there. `tiles`: once they are turned up."""
    row, free = state.open_row
    playing = state.phase in (Phase.PLAY, Phase.CHOICE)
    if state.phase is Phase.PLAY and state.seat is not None:
        free = state.targets(state.revealed[state.seat])
    return OlympeakView(
        phase=state.phase.value,
        round=state.round,
        rounds=state.setup.rounds,
        turn=state.turn,
        row=row,
        free=free if playing else (),
        contenders=state.setup.contenders,
        columns=tuple(_column(state, contender, None) for contender in state.setup.contenders),
        zones=tuple(_zone(state, seat, None, False) for seat in state.setup.seats),
        cubes=_cubes(state.cube, {}),
        places={} if state.outcome is None else dict(state.outcome.places),
        results=_results(state, tiles),
        findings=tuple(findings),
        assumed=assumed,
    )


def _card(state: GameState, name: str) -> PlayCardView:
    if name not in state.setup.deck:
        return PlayCardView(id=name, kind="progress")
    card = state.setup.deck[name]
    return PlayCardView(id=name, kind=card.kind.value, value=card.value, heads=card.heads, signs=card.signs)


def _column(state: GameState, contender: str, look: Look | None) -> ColumnView:
    """The cards that lie there by the game, and those that the look shows there against it."""
    lying = [each for each in state.placed if each.contender == contender]
    cards = [
        PlacedView(card=_card(state, each.card), row=each.row, new=each.turn == state.turn) for each in lying
    ]
    if look is not None:
        known = {each.card for each in lying}
        cards += [
            PlacedView(card=_card(state, each.card), row=each.row, new=True, wrong=True)
            for each in look.columns
            if each.contender == contender and each.card not in known
        ]
    return ColumnView(contender=contender, cards=tuple(sorted(cards, key=lambda each: each.row)))


def _zone(state: GameState, seat: int, look: Look | None, back: bool) -> ZoneView:
    waits = seat in state.waiting
    order = state.order.index(seat) + 1 if seat in state.order else None
    status = ""
    if state.order:
        status = "acts" if seat == state.seat else "waits" if waits else "played"
    if back:
        status = "back"
    if waits:
        return ZoneView(
            seat=seat, state="shown", card=_card(state, state.revealed[seat]), order=order, status=status
        )
    # What lies there while cards are being turned up is nobody's business before all are.
    where = "empty"
    if look is not None:
        if look.zone_hidden(seat):
            where = "hidden"
        elif seat in look.face_down:
            where = "down"
        elif seat in look.shown:
            where = "up"
    return ZoneView(seat=seat, state=where, order=order, status=status)


def _cubes(places: Mapping[str, int], seen: Mapping[str, int]) -> tuple[CubeView, ...]:
    return tuple(
        CubeView(contender=contender, place=place, seen=seen.get(contender))
        for contender, place in places.items()
    )


def _results(state: GameState, tiles: Predictions | None) -> tuple[ResultView, ...]:
    if state.outcome is None or tiles is None:
        return ()
    return tuple(
        ResultView(
            seat=seat,
            first=tiles.first[seat],
            second=tiles.second[seat],
            points=score.points,
            reasons=score.reasons,
            won=seat in state.outcome.winners,
        )
        for seat, score in enumerate(state.outcome.scores)
    )
