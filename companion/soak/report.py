"""The report of a soak: what happened in all games, and what of it should not have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class SoakReport:
    """What happened in all games.

    `illegal_shown`: acts against the rules. By switches alone there are others besides that went unnoticed because the
    magnets lay as a legal turn may leave them, and with a camera some that the next player may have begun with, after a
    whole turn that it has seen (`illegal_unfelt`). `illegal_put_back`: of those shown, the ones over
    which the camera was truly away, covered or stuck: the table accused nobody and asked for what they changed to be
    put back. `illegal_doubtful`: of those shown, by switches alone, the ones that a broken switch may account for: the
    table accused nobody, took nothing for played, and asked, naming a space or a miniature of them.
    `reopened`: how often somebody who had just recovered turned cards alone once more, which is no illegal act; over
    `reopened_asked` of them the table asked to turn one back, the others it missed.
    `asked`: how often people were asked anything. Of that `asked_by_rules` was for a player to decide (an order
    card), and `questions` the referee's doubt: each counts once, however many buttons it took. `overruled`:
    how often people who say nothing untrue objected to what they were told, that it is right as it lies: each time the
    table was wrong, and none of these is a question. `latencies_s`:
    table time from the moment when all that is to be judged lies there
    (the last hand has left or come to rest with the cards that it holds up, and where only a player's word could
    decide, it was given) to the LED command, but for time in which the camera delivered no picture that was due
    (`latencies_with_gaps_s`: with it). `refusal_latencies_s`: of these, the ones until something illegal was refused,
    which by switches alone is waited with: what lies amiss may be in somebody's hand.
    `habits`, `faults`: what people did and what went wrong. `incidents`, `doubts`: what should not have happened and
    what was asked in doubt, in words. `tasks_left`: the tasks that still ran when a game was over and its table closed.
    """

    games: int = 0
    turns: int = 0
    illegal_shown: int = 0
    illegal_caught: int = 0
    illegal_put_back: int = 0
    illegal_doubtful: int = 0
    illegal_unfelt: int = 0
    reopened: int = 0
    reopened_asked: int = 0
    wrong_accepted: int = 0
    false_alarms: int = 0
    asked: int = 0
    asked_by_rules: int = 0
    questions: int = 0
    overruled: int = 0
    stuck: int = 0
    latencies_s: list[float] = field(default_factory=list)
    latencies_with_gaps_s: list[float] = field(default_factory=list)
    refusal_latencies_s: list[float] = field(default_factory=list)
    habits: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    incidents: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    tasks_left: list[str] = field(default_factory=list)

    @property
    def is_flawless(self) -> bool:
        """Was nothing accepted or called illegal wrongly, nothing missed, nobody stuck, no objection needed?"""
        missed = self.illegal_shown - self.illegal_caught - self.illegal_put_back - self.illegal_doubtful
        missed += self.reopened - self.reopened_asked
        return not (self.wrong_accepted or self.false_alarms or self.overruled or self.stuck or missed)

    @property
    def turn_latencies_s(self) -> list[float]:
        """Of all latencies those until a turn was told."""
        return sorted((Counter(self.latencies_s) - Counter(self.refusal_latencies_s)).elements())

    def as_json(self) -> dict[str, object]:
        """The report as the command prints it."""
        turns = max(self.turns, 1)
        return {
            "games": self.games,
            "turns": self.turns,
            "illegal_shown": self.illegal_shown,
            "illegal_caught": self.illegal_caught,
            "illegal_put_back": self.illegal_put_back,
            "illegal_doubtful": self.illegal_doubtful,
            "illegal_unfelt": self.illegal_unfelt,
            "reopened": self.reopened,
            "reopened_asked": self.reopened_asked,
            "wrong_accepted": self.wrong_accepted,
            "false_alarms": self.false_alarms,
            "asked": self.asked,
            "asked_by_rules": self.asked_by_rules,
            "questions": self.questions,
            "overruled": self.overruled,
            "stuck": self.stuck,
            "questions_per_turn": round(self.questions / turns, 4),
            "false_alarms_per_1000_turns": round(1000 * self.false_alarms / turns, 2),
            "latency_ms": _percentiles(self.latencies_s),
            "latency_with_gaps_ms": _percentiles(self.latencies_with_gaps_s),
            "latency_of_refusals_ms": _percentiles(self.refusal_latencies_s),
            "latency_of_turns_ms": _percentiles(self.turn_latencies_s),
            "habits": dict(sorted(self.habits.items())),
            "faults": dict(sorted(self.faults.items())),
        }


def _percentiles(seconds: list[float]) -> dict[str, float | None]:
    """p50 and p95 in ms; None where nothing was measured."""
    ordered = sorted(seconds)
    return {
        f"p{percent}": round(ordered[percent * (len(ordered) - 1) // 100] * 1000, 1) if ordered else None
        for percent in (50, 95)
    }
