"""The report as one HTML page: no script, nothing from elsewhere, everything escaped, readable on a phone."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from calibration.gate import Finding, Judgement

WORDS = {
    Judgement.GOOD: "go",
    Judgement.DOUBTFUL: "look",
    Judgement.BAD: "no go",
    Judgement.NOT_FITTED: "not fitted",
}
# Pictures beyond this are left out, and the page says so: it is to be sent by mail.
MOST_BYTES = 6_000_000
_PRIVATE = (
    (re.compile(r"/dev/(\w+)/by-(?:id|path)/[^\s,;]+"), r"/dev/\1/…"),
    (re.compile(r"\busb:[^\s,;]+"), "usb"),
    (re.compile(r"(?:/home/|/Users/)[^/\s]+|/root(?=/)"), "~"),
    (re.compile(r"\b\w+://[^\s]+"), "(an address)"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"), "(an address)"),
    (re.compile(r"(?i)\b(code|password|token|key)(\s*[:=]\s*)\S+"), r"\1\2…"),
)
_STYLE = """
:root{color-scheme:light dark;font:17px/1.5 system-ui,sans-serif}
body{max-width:56rem;margin:0 auto;padding:.8rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
img,svg{max-width:100%;height:auto;border-radius:.3rem}figure{margin:.8rem 0}figcaption{font-size:.9rem;opacity:.8}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.95rem}
th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid #8884;vertical-align:top}
.good{color:#177a2f}.doubtful{color:#96600a}.bad{color:#c62828;font-weight:bold}.not-fitted{opacity:.7}
td small{display:block;opacity:.85}
.badge{background:#a0178f;color:#fff;font-weight:bold;padding:.1rem .5rem;border-radius:.3rem}
svg .ring{fill:none;stroke:#8888}svg .lie{stroke:#1565c0;stroke-width:2}
svg circle.good{fill:#2e9e4a55}svg circle.doubtful{fill:#e09a1f}svg circle.bad{fill:#d32f2f}
svg text{font-size:10px;text-anchor:middle;fill:#000}
@media (prefers-color-scheme:dark){.good{color:#6fd388}
.doubtful{color:#f0b95a}.bad{color:#ff8a80}svg .lie{stroke:#7db7ff}}
@media print{body{max-width:none}}
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report: its heading and ready HTML."""

    title: str
    parts: tuple[str, ...]


@dataclass(slots=True)
class Pictures:
    """Pictures as parts of the page, as long as there is room for them."""

    left: int = MOST_BYTES
    omitted: int = field(default=0)

    def figure(self, jpeg: bytes, caption: str) -> str:
        """A JPEG within the page; a note where there is no room for it."""
        data = base64.b64encode(jpeg).decode("ascii")
        if len(data) > self.left:
            self.omitted += 1
            return paragraph(f"({caption}: left out, the page would grow too large.)")
        self.left -= len(data)
        told = escaped(caption)
        return f'<figure><img src="data:image/jpeg;base64,{data}" alt="{told}"><figcaption>{told}</figcaption></figure>'


def private(text: str) -> str:
    """The text without what concerns nobody else: people's folders, serial numbers of devices, addresses, codes."""
    for pattern, instead in _PRIVATE:
        text = pattern.sub(instead, text)
    return text


def escaped(text: object) -> str:
    """Text without anything private, that stays text within HTML and its attributes."""
    return html.escape(private(str(text)), quote=True)


def paragraph(text: str) -> str:
    """A paragraph of text."""
    return f"<p>{escaped(text)}</p>"


def drawing(svg: str, caption: str) -> str:
    """A plan with its caption; the SVG is ours."""
    return f"<figure>{svg}<figcaption>{escaped(caption)}</figcaption></figure>"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of text."""
    head = "".join(f"<th>{escaped(cell)}</th>" for cell in heads)
    body = "".join("<tr>" + "".join(f"<td>{escaped(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def findings_rows(findings: Iterable[Finding]) -> str:
    """Findings as a table, with the advice below what is not good."""
    rows = []
    for finding in findings:
        advice = f"<small>{escaped(finding.advice)}</small>" if finding.advice else ""
        kind = finding.judgement.value.replace(" ", "-")
        rows.append(
            f"<tr><td>{escaped(finding.what)}{advice}</td><td>{escaped(finding.seen)}</td>"
            f'<td>{escaped(finding.limit)}</td><td class="{kind}">{WORDS[finding.judgement]}</td></tr>'
        )
    return (
        '<div class="wide"><table><thead><tr><th>what</th><th>seen</th><th>limit</th><th></th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def page(title: str, intro: Sequence[str], sections: Sequence[Section], *, simulated: bool) -> str:
    """The whole page."""
    badge = '<p><span class="badge">SIMULATED</span></p>' if simulated else ""
    body = "".join(
        f"<section><h2>{escaped(section.title)}</h2>{''.join(section.parts)}</section>"
        for section in sections
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
        "style-src 'unsafe-inline'\">"
        f"<title>{escaped(title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escaped(title)}</h1>{badge}{''.join(intro)}{body}</body></html>\n"
    )
