"""Every sentence that is shown or spoken, in every language, from one catalogue (`words/*.toml`).

`say("above.missing", deity=…)` gives a `Text`: the English sentence, which also knows how to be said otherwise.
"""

from companion.messages.catalogue import CatalogueError
from companion.messages.languages import LANGUAGES, Language
from companion.messages.text import (
    Arg,
    Text,
    aloud,
    bare,
    clauses,
    either,
    listed,
    render,
    row,
    say,
    sentences,
    text_of,
    words_of,
)

__all__ = [
    "LANGUAGES",
    "Arg",
    "CatalogueError",
    "Language",
    "Text",
    "aloud",
    "bare",
    "clauses",
    "either",
    "listed",
    "render",
    "row",
    "say",
    "sentences",
    "text_of",
    "words_of",
]
