"""The API's reference as a page to read: made from the OpenAPI description, without anything from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

Schema = dict[str, Any]

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>Olympus companion: the API</title>
<link rel="icon" href="icon.svg" type="image/svg+xml"><link rel="stylesheet" href="style.css">
</head><body class="reference"><main>
<h1>The table's API</h1>
<p>Whoever can reach this page may read the table. To act, a client makes up a random token, sends it as the header
<code>X-Phone</code>, and joins with it. Requests are JSON; a refusal is <code>{"error": "…"}</code> with one
sentence. <a href="openapi.json">The same as OpenAPI</a> · <a href="./">The table</a></p>
"""


def reference_page(api: Schema) -> str:
    """The reference of everything in the OpenAPI description `api`, as HTML."""
    parts = [_HEAD]
    for path, methods in sorted(api["paths"].items()):
        for method, about in methods.items():
            parts.append(_operation(api, method.upper(), path, about))
    parts.append("<h2>What is sent and answered</h2>\n")
    for name, schema in sorted(api["components"]["schemas"].items()):
        if name not in ("HTTPValidationError", "ValidationError"):
            parts.append(_model(name, schema))
    return "".join([*parts, "</main></body></html>\n"])


def _operation(api: Schema, method: str, path: str, about: Schema) -> str:
    body = about.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answer = about["responses"].get("200", {}).get("content", {})
    kinds = [_kind(each["schema"]) if each.get("schema") else escape(kind) for kind, each in answer.items()]
    sent = f"<p>Sends {_kind(body)}.</p>\n" if body else ""
    return (
        f"<section><h3><b>{method}</b> <code>{escape(path)}</code></h3>\n<p>{escape(about.get('description', ''))}</p>\n"
        f"{sent}<p>Answers {' or '.join(kinds) or 'nothing'}.</p></section>\n"
    )


def _model(name: str, schema: Schema) -> str:
    needed = set(schema.get("required", ()))
    rows = "".join(
        f"<tr><th scope='row'><code>{escape(field)}</code></th><td>{_kind(about)}{_limits(about)}"
        f"{'' if field in needed else ', may be left out'}</td></tr>\n"
        for field, about in schema.get("properties", {}).items()
    )
    about = "".join(f"<p>{escape(part)}</p>\n" for part in schema.get("description", "").split("\n\n"))
    table = f"<table><tbody>\n{rows}</tbody></table>\n" if rows else ""
    return f'<section id="{escape(name)}"><h3>{escape(name)}</h3>\n{about}{table}</section>\n'


def _kind(schema: Schema) -> str:
    """What a value is, in words, with links to what it is made of."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[1])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(each))}</code>" for each in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"names with {_kind(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "anything")))


def _limits(schema: Schema) -> str:
    words = {
        "minimum": "at least",
        "maximum": "at most",
        "minLength": "characters at least",
        "maxLength": "characters at most",
        "maxItems": "entries at most",
        "pattern": "like",
    }
    shown = [f"{words[key]} <code>{escape(str(schema[key]))}</code>" for key in words if key in schema]
    return f" ({', '.join(shown)})" if shown else ""
