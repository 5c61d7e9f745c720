"""The table in a terminal: the mountain unrolled, whose turn it is, what to do, what was played.

In the language of whoever it is shown to (`companion.web.language`), without isolates, which terminals cannot show.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from companion.games.above.box import DEITIES, DEITY_COLOURS
from companion.games.above.names import deity_name
from companion.games.olympeak.names import contender_name, order_name
from companion.messages import bare, row, say
from companion.web.language import said
from companion.web.models import BoardView, OfferView, OlympeakView, PlayCardView, Snapshot, VerdictView

TOKEN_SIGNS = {
    "thunder": ("ϟ", "yellow"),
    "fertility": ("❀", "green"),
    "gate": ("◘", "white"),
    "barrier": ("╫", "red"),
}
KIND_STYLES = {
    "illegal": "bold white on red",
    "unfinished": "black on yellow",
    "lifted": "black on green",
    "complete": "black on green",
    "ready": "bold green",
    "question": "black on yellow",
    "setup": "black on cyan",
    "hold": "black on white",
    "over": "bold black on bright_yellow",
}
HISTORY_SHOWN = 6
CONTENDER_STYLES = {"blue": "blue", "green": "green", "red": "red", "white": "white"}


def _told(text: str) -> str:
    return bare(said(text))


def table_view(snapshot: Snapshot, footer: str) -> RenderableType:
    """The whole table as one Rich renderable; `footer` says where the page is."""
    return Group(
        _headline(snapshot),
        lying(snapshot),
        _verdict(snapshot),
        *_offer(snapshot),
        *_notices(snapshot),
        _history(snapshot),
        Text(footer, style="dim"),
    )


def lying(snapshot: Snapshot) -> RenderableType:
    """What lies on the table: the board and the cards, or the columns and what lies before the seats."""
    if snapshot.olympeak is None:
        return Group(mountain(snapshot.board, snapshot.verdict), _cards(snapshot))
    return Group(race(snapshot.olympeak), _seats(snapshot.olympeak, snapshot))


def mountain(board: BoardView, verdict: VerdictView | None) -> Grid:
    """The board unrolled: a column of text for each column, the summit on top, ring 1 at the bottom."""
    marks = {mark.space: mark.mark for mark in verdict.marks} if verdict else {}
    pieces: dict[str, Text] = {}
    for token in board.tokens:
        sign, colour = TOKEN_SIGNS[token.type]
        pieces[token.space] = Text(f" {sign}", style=colour)
    for deity, space in board.minis.items():
        if space is not None:
            red, green, blue = DEITY_COLOURS[deity]
            ink = "black" if red * 0.3 + green * 0.6 + blue * 0.1 > 110 else "white"
            pieces[space] = Text(
                _told(deity_name(deity))[:2], style=f"bold {ink} on rgb({red},{green},{blue})"
            )
    letters = [chr(ord("a") + column) for column in range(board.columns)]
    grid = Grid.grid(padding=(0, 1))
    for _ in range(board.columns + 1):
        grid.add_column(justify="center", min_width=2)
    summit = pieces.get("top", Text("△", style="bright_yellow"))
    grid.add_row("", *([""] * (board.columns // 2 - 1)), summit)
    for ring in range(board.rings, 0, -1):
        cells = [_cell(pieces.get(f"{letter}{ring}"), marks.get(f"{letter}{ring}")) for letter in letters]
        grid.add_row(Text(str(ring), style="dim"), *cells)
    grid.add_row("", *(Text(letter, style="dim") for letter in letters))
    return grid


def race(view: OlympeakView) -> Grid:
    """The columns of OlymPeak side by side, with the places of their cubes."""
    grid = Grid(show_edge=False, pad_edge=False)
    places = {cube.contender: cube.place for cube in view.cubes}
    for contender in view.contenders:
        grid.add_column(
            f"{_told(contender_name(contender))} {places.get(contender, 0):+d}",
            style=CONTENDER_STYLES[contender],
            min_width=14,
        )
    rows = max((placed.row for column in view.columns for placed in column.cards), default=0)
    cards = {(column.contender, placed.row): placed for column in view.columns for placed in column.cards}
    for line in range(1, rows + 1):
        cells = []
        for contender in view.contenders:
            placed = cards.get((contender, line))
            style = "reverse" if placed and placed.wrong else "bold" if placed and placed.new else ""
            cells.append(Text(_play_card(placed.card) if placed else "·", style=style))
        grid.add_row(*cells)
    return grid


def _seats(view: OlympeakView, snapshot: Snapshot) -> Text:
    """What lies before the seats, with the order of play."""
    names = {player.seat: player.name for player in snapshot.players}
    text = Text()
    for zone in view.zones:
        lies = _play_card(zone.card) if zone.card else _told(say(f"terminal.zone.{zone.state}"))
        lies = _told(say("terminal.has_played")) if zone.status == "played" else lies
        order = f"{zone.order}. " if zone.order else ""
        text.append(f"{order}{names.get(zone.seat, '')}: {lies}   ")
    return text


def _play_card(card: PlayCardView) -> str:
    return (
        f"{card.id} {card.value:+d}"
        if card.kind == "progress"
        else f"{card.id} {_told(order_name(card.kind))}"
    )


def _cell(piece: Text | None, mark: str | None) -> Text:
    background = {
        "wrong": "red",
        "return": "blue",
        "target": "green",
        "remove": "yellow",
        "missing": "yellow",
    }
    text = piece.copy() if piece else Text(" ·", style="dim")
    if mark in background:
        text.stylize(f"reverse {background[mark]}" if piece else f"on {background[mark]}")
    return text


def _headline(snapshot: Snapshot) -> Text:
    line = Text("Above" if snapshot.olympeak is None else "OlymPeak", style="bold")
    if snapshot.simulated:
        line.append(f"  {_told(say('terminal.simulated'))}", style="bold magenta")
    if snapshot.olympeak is None:
        turn = say("terminal.turn", n=snapshot.turn + 1)
    else:
        turn = say("terminal.round", round=snapshot.olympeak.round, n=snapshot.olympeak.turn)
    line.append(f"  {_told(turn)}")
    for device in snapshot.devices:
        if not device.ok or device.detail:
            line.append(f"  {device.name}: {_told(device.detail)}", style="yellow" if device.ok else "red")
    return line


def _cards(snapshot: Snapshot) -> Text:
    text = Text()
    for player in snapshot.players:
        text.append(f"{player.name}: ", style="bold")
        cards = snapshot.board.cards[player.seat] if player.seat < len(snapshot.board.cards) else ()
        for deity in DEITIES:
            for card in cards:
                if card.deity == deity:
                    text.append(_told(deity_name(deity)) + " ", style="" if card.powered else "strike dim")
        text.append("\n")
    text.rstrip()
    return text


def _verdict(snapshot: Snapshot) -> Panel:
    verdict = snapshot.verdict
    if verdict is None:
        return Panel(_told(say("terminal.starting")))
    body = Text()
    body.append(f" {_told(say(f'terminal.kind.{verdict.kind}'))} ", style=KIND_STYLES[verdict.kind])
    body.append(f"  {_told(verdict.text)}")
    for todo in verdict.todo[1:4]:
        body.append(f"\n   {_told(say('terminal.then', act=todo.text))}", style="dim")
    name = snapshot.players[verdict.seat].name if verdict.seat < len(snapshot.players) else ""
    return Panel(body, title=Text(name), title_align="left")


def _notices(snapshot: Snapshot) -> list[Text]:
    """What is out of order with the table itself, with what to do about it."""
    return [Text(f"{_told(notice.text)} {_told(notice.todo)}", style="yellow") for notice in snapshot.notices]


def _offer(snapshot: Snapshot) -> Iterator[Text]:
    """An open game that may go on; the page asks whether."""
    if snapshot.offer is not None:
        yield Text(offer_text(snapshot.offer), style="cyan")


def offer_text(offer: OfferView) -> str:
    """An open game in a sentence."""
    return _told(say("terminal.offer", names=row(offer.players), n=offer.turns, text=offer.text))


def _history(snapshot: Snapshot) -> Text:
    text = Text()
    for line in snapshot.history[-HISTORY_SHOWN:]:
        text.append(f"{line.turn:3d}  {line.name}  ", style="dim")
        text.append(f"{_told(line.text)}\n")
    text.rstrip()
    return text


def print_news(console: Console, before: Snapshot | None, now: Snapshot) -> None:
    """For a terminal that is a file or a pipe: one line for each new turn and verdict."""
    known = {line.turn for line in before.history} if before else set()
    for line in now.history:
        if line.turn not in known:
            _line(console, say("terminal.turn_line", n=line.turn, name=line.name, text=line.text))
    known_devices = {device.name: device.detail for device in before.devices} if before else {}
    for device in now.devices:
        if known_devices.get(device.name, "") != device.detail:
            _line(console, device.detail or say("terminal.working"), device.name)
    known_notices = {notice.key for notice in before.notices} if before else set()
    for notice in now.notices:
        if notice.key not in known_notices:
            _line(console, f"{_told(notice.text)} {_told(notice.todo)}", "table")
    offered = before.offer.game if before and before.offer else None
    if now.offer is not None and now.offer.game != offered:
        _line(console, offer_text(now.offer), "open")
    verdict = now.verdict
    if verdict and (before is None or before.verdict is None or before.verdict.text != verdict.text):
        _line(console, verdict.text, verdict.kind)


def _line(console: Console, text: str, what: str = "") -> None:
    before = f"[{what}] " if what else ""
    console.print(f"{before}{_told(text)}", markup=False, highlight=False, soft_wrap=True)
