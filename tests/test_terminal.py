"""The table in a terminal, for both games."""

from __future__ import annotations

from rich.console import Console

from companion.games.above.names import deity_name
from companion.messages import say
from companion.messages.languages import END, ISOLATE
from companion.terminal import print_news, table_view
from companion.web.language import LANGUAGE
from companion.web.models import (
    BoardView,
    CardView,
    ColumnView,
    CubeView,
    HistoryLine,
    MarkView,
    NoticeView,
    OfferView,
    OlympeakView,
    PlacedView,
    PlayCardView,
    PlayerView,
    Snapshot,
    TokenView,
    VerdictView,
    ZoneView,
)

PLAYERS = (PlayerView(seat=0, name="Ada"), PlayerView(seat=1, name="Ben"))


def shown(snapshot: Snapshot) -> str:
    console = Console(width=110)
    with console.capture() as capture:
        console.print(table_view(snapshot, "The page: http://127.0.0.1:8080"))
    return capture.get()


def above(**changes: object) -> Snapshot:
    base = Snapshot(
        players=PLAYERS,
        simulated=True,
        board=BoardView(
            minis={"ze": "c4", "he": "top", "ar": None},
            tokens=(TokenView(type="gate", space="a6"),),
            cards=((CardView(deity="ze", powered=True), CardView(deity="he", powered=False)), ()),
        ),
        verdict=VerdictView(
            kind="illegal",
            seat=1,
            text="Zeus cannot reach c4.",
            marks=(MarkView(space="c4", mark="wrong"), MarkView(space="c2", mark="return")),
        ),
        history=(HistoryLine(turn=1, seat=0, name="Ada", text="Hera: to d2"),),
    )
    return base.model_copy(update=changes)


def test_the_mountain_shows_pieces_verdict_cards_and_that_it_is_simulated() -> None:
    text = shown(above())
    for part in ("SIMULATED", "Ze", "He", "◘", "not allowed", "Zeus cannot reach c4.", "Hera: to d2", "Ben"):
        assert part in text
    assert text.index("He") < text.index("Ze"), "the summit is on top"


def test_a_name_that_looks_like_markup_is_a_name() -> None:
    players = (PlayerView(seat=0, name="[/b]"), PlayerView(seat=1, name="[red]Ben"))
    text = shown(above(players=players))
    assert "[/b]: Zeus" in text and text.count("[red]Ben") == 2


def test_the_race_shows_columns_cubes_and_what_lies_before_the_seats() -> None:
    card = PlayCardView(id="p014", kind="progress", value=3, heads=2, signs=("blue",))
    text = shown(
        above(
            game="olympeak",
            olympeak=OlympeakView(
                phase="play",
                contenders=("blue", "red"),
                columns=(
                    ColumnView(contender="blue", cards=(PlacedView(card=card, row=2, new=True),)),
                    ColumnView(contender="red"),
                ),
                zones=(ZoneView(seat=0, state="down"), ZoneView(seat=1, state="shown", card=card, order=1)),
                cubes=(CubeView(contender="blue", place=7), CubeView(contender="red", place=-2)),
            ),
        )
    )
    for part in ("OlymPeak", "blue +7", "red -2", "p014 +3", "Ada: a card face down", "1. Ben: p014"):
        assert part in text


def test_a_pipe_gets_one_line_for_each_news() -> None:
    console = Console(width=30)
    later = above(
        history=(
            HistoryLine(turn=1, seat=0, name="Ada", text="Hera: to d2"),
            HistoryLine(turn=2, seat=1, name="Ben", text="Zeus: to c2"),
        )
    )
    with console.capture() as capture:
        print_news(console, None, above())
        print_news(console, above(), above())
        print_news(console, above(), later)
    assert capture.get().splitlines() == [
        "turn 1: Ada: Hera: to d2",
        "[illegal] Zeus cannot reach c4.",
        "turn 2: Ben: Zeus: to c2",
    ]


def test_what_is_wrong_with_the_table_itself_is_shown_and_told_once() -> None:
    slipped = NoticeView(key="ring-3", text="Ring 3 has slipped 2.4°.", todo="Turn it back.")
    worse = slipped.model_copy(update={"text": "Ring 3 has slipped 2.9°."})
    pushed = NoticeView(key="frame-marker-2", text="Frame marker 2 was pushed.", todo="Put it back.")
    assert "Ring 3 has slipped 2.4°. Turn it back." in shown(above(notices=(slipped,)))
    console = Console(width=200)
    with console.capture() as capture:
        print_news(console, above(), above(notices=(slipped,)))
        print_news(console, above(notices=(slipped,)), above(notices=(worse, pushed)))
        print_news(console, above(notices=(worse, pushed)), above(notices=(pushed,)))
    assert capture.get().splitlines() == [
        "[table] Ring 3 has slipped 2.4°. Turn it back.",
        "[table] Frame marker 2 was pushed. Put it back.",
    ]


def test_an_open_game_is_told_once_with_what_the_page_can_do() -> None:
    offer = OfferView(
        game=3, here=True, players=("Ada", "Ben"), begun_at=0.0, turns=12, text="Ben is to move."
    )
    offered = above(offer=offer)
    assert "A game of Ada, Ben is open, 12 turns played. Ben is to move." in " ".join(shown(offered).split())
    console = Console(width=200)
    with console.capture() as capture:
        print_news(console, None, offered)
        print_news(console, offered, above(offer=offer, paused=True))
        print_news(console, offered, above())
    assert capture.get().count("[open]") == 1


def test_it_speaks_the_language_of_whoever_it_is_shown_to() -> None:
    refused = say("above.no_step_back", deity=deity_name("ze"), rule=say("names.phase", n=2))
    snapshot = above(verdict=VerdictView(kind="illegal", seat=1, text=refused))
    before = LANGUAGE.set("fr")
    try:
        text = shown(snapshot)
        for part in ("TABLE SIMULÉE", "tour 1", "✖ pas permis", "Zeus ne peut pas reculer", "Héra"):
            assert part in text
        LANGUAGE.set("he")
        text = shown(snapshot)
        assert "✖ אסור" in text and "זאוס לא יכול לסגת" in text
        assert not {ISOLATE, END} & set(text)
    finally:
        LANGUAGE.reset(before)
