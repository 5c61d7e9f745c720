"""Request bodies made from the OpenAPI description: such as it asks for, and such as nobody asked for."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**65), 2**65)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
    | st.sampled_from(
        ["", "..", "/etc/passwd", "'; --", "{{7*7}}", "\x00", "\u202e", "a" * 300, "mini", "c2"]
    )
)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)


def described(api: Schema, schema: Schema) -> st.SearchStrategy[Any]:
    """Values such as the description asks for."""
    if "$ref" in schema:
        return described(api, api["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in schema:
        return st.one_of(*(described(api, each) for each in schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "pattern" in schema:
        return st.from_regex(schema["pattern"], fullmatch=True)
    low, high = schema.get("minimum", -1000), schema.get("maximum", 1000)
    plain: dict[str, st.SearchStrategy[Any]] = {
        "null": st.none(),
        "boolean": st.booleans(),
        "integer": st.integers(low, high),
        "number": st.floats(low, high, allow_nan=False),
        "string": st.text(min_size=schema.get("minLength", 0), max_size=min(schema.get("maxLength", 20), 24)),
    }
    if schema["type"] in plain:
        return plain[schema["type"]]
    if schema["type"] == "array":
        return st.lists(described(api, schema.get("items", {"type": "string"})), max_size=6)
    assert schema["type"] == "object", schema
    fields = {name: described(api, each) for name, each in schema.get("properties", {}).items()}
    return st.fixed_dictionaries({}, optional=fields)


def bodies(api: Schema, path: str) -> st.SearchStrategy[Any]:
    """Bodies for a request: as described, with one thing changed, or anything at all."""
    asked = api["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    good = described(api, asked)
    changed = st.builds(
        lambda body, name, value: {**body, name: value},
        good,
        st.sampled_from([*_names(api, asked), "extra", "__proto__", "file"]),
        anything,
    )
    return good | changed | anything


def _names(api: Schema, schema: Schema) -> list[str]:
    return list(api["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]].get("properties", {}))
