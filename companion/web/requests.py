"""What people ask of the game: each request with the rights that it needs, and what must hold for it."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException

from companion.messages import say
from companion.web.asks import (
    AnswerAsk,
    CorrectAsk,
    Done,
    GameAsk,
    NewGameAsk,
    PauseAsk,
    RuleAsk,
    StartAsk,
    UndoAsk,
)
from companion.web.fitted_requests import add_fitting_requests
from companion.web.hub import (
    Abandon,
    Answer,
    Command,
    Correct,
    Hub,
    NewGame,
    Pause,
    Resume,
    Rule,
    StartHere,
    Undo,
)
from companion.web.phones import Phones
from companion.web.rights import Host, Joined, Seated, must_be_asked, must_be_own_turn

NAME_LIMIT = 24


def add_requests(app: FastAPI, hub: Hub, phones: Phones, responses: dict[int | str, dict[str, Any]]) -> None:
    """The requests about the game and about what is fitted."""

    async def ask(command: Command) -> Done:
        outcome = await hub.ask(command)
        if not outcome.accepted:
            raise HTTPException(409, outcome.text)
        return Done(text=outcome.text)

    @app.post("/api/answer", responses=responses)
    async def answer(body: AnswerAsk, phone: Joined) -> Done:
        """Answer the question that the table asks now; a seat only its own."""
        verdict = hub.latest.verdict
        if verdict is None or verdict.question != body.question:
            raise HTTPException(409, say("web.settled"))
        if body.key not in {choice.key for choice in verdict.choices}:
            raise HTTPException(409, say("web.no_such_answer"))
        must_be_asked(phone, phones, hub.latest)
        return await ask(Answer(body.key))

    @app.post("/api/undo", responses=responses)
    async def undo(body: UndoAsk, phone: Seated) -> Done:
        """Take back the last accepted turns; a seat only its own last one."""
        if body.turn != hub.latest.turn:
            raise HTTPException(409, say("web.gone_on"))
        must_be_own_turn(phone, hub.latest, body.turns)
        return await ask(Undo(body.turns))

    @app.post("/api/correct", responses=responses)
    async def correct(body: CorrectAsk, phone: Host) -> Done:
        """Say that a piece or card is another than it was read as."""
        return await ask(Correct(body.what, body.place, body.shown, body.said))

    @app.post("/api/rule", responses=responses)
    async def rule(body: RuleAsk, phone: Host) -> Done:
        """Declare that play goes on from what lies there."""
        verdict = hub.latest.verdict
        if verdict is None or verdict.question != body.question:
            raise HTTPException(409, say("web.changed"))
        return await ask(Rule(body.seat))

    @app.post("/api/start", responses=responses)
    async def start(body: StartAsk, phone: Host) -> Done:
        """Begin the game from what lies on the table."""
        return await ask(StartHere(body.seat))

    @app.post("/api/resume", responses=responses)
    async def resume(body: GameAsk, phone: Host) -> Done:
        """Go on with a game of the journal."""
        return await ask(Resume(body.game))

    @app.post("/api/abandon", responses=responses)
    async def abandon(body: GameAsk, phone: Host) -> Done:
        """Give a game of the journal up for good."""
        return await ask(Abandon(body.game))

    @app.post("/api/new", responses=responses)
    async def new(body: NewGameAsk, phone: Host) -> Done:
        """Begin a new game."""
        if hub.latest.game == "above" and body.players not in (2, 4):
            raise HTTPException(422, say("web.above_players"))
        if body.ages and sorted(body.ages) != list(range(body.players)):
            raise HTTPException(422, say("web.ages", last=body.players - 1))
        if body.names and len(body.names) != body.players:
            raise HTTPException(422, say("web.names_count", n=body.players))
        for name in body.names:
            if not 1 <= len(name) <= NAME_LIMIT or not name.isprintable():
                raise HTTPException(422, say("web.name_length", n=NAME_LIMIT))
        if len(set(body.names)) < len(body.names):
            raise HTTPException(422, say("web.names_same"))
        return await ask(NewGame(body.players, body.names, body.ages))

    @app.post("/api/pause", responses=responses)
    async def pause(body: PauseAsk, phone: Seated) -> Done:
        """Stop the judging, or let it go on."""
        return await ask(Pause(body.paused))

    add_fitting_requests(app, ask, responses)
