"""`companion box`: export, check and import of the deck, as an owner uses it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.commands.box import BoxFileError, app
from companion.games.olympeak.deck_file import default_box, dump, read

RUN = CliRunner()


def test_export_then_check(tmp_path: Path) -> None:
    file, deck = tmp_path / "cards.csv", tmp_path / "none.csv"
    done = RUN.invoke(app, ["export", "olympeak", str(file), "--deck", str(deck)])
    assert done.exit_code == 0
    assert "assumption" in done.stderr
    assert read(file).deck == default_box().deck
    checked = RUN.invoke(app, ["check", "olympeak", str(file)])
    assert (checked.exit_code, checked.stdout) == (
        0,
        "ok: 105 progress, 5 stop, 5 remove, 5 insert; 62 with a star\n",
    )


def test_export_to_standard_output(tmp_path: Path) -> None:
    done = RUN.invoke(app, ["export", "olympeak", "-", "--deck", str(tmp_path / "none.csv")])
    assert done.stdout == dump(default_box())


def test_export_overwrites_only_when_told(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    file.write_text("mine", encoding="utf-8")
    arguments = ["export", "olympeak", str(file), "--deck", str(tmp_path / "none.csv")]
    refused = RUN.invoke(app, arguments)
    assert isinstance(refused.exception, BoxFileError)
    assert file.read_text(encoding="utf-8") == "mine"
    assert RUN.invoke(app, [*arguments, "--force"]).exit_code == 0
    assert read(file).deck == default_box().deck


def test_check_names_every_defect_by_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "cards.csv"
    text = (
        dump(default_box())
        .replace("p002,116", "p002,115")
        .replace("p003,117,progress,0,3,blue", "p003,117,progress,7,3,grey")
    )
    file.write_text(text, encoding="utf-8")
    done = RUN.invoke(app, ["check", "olympeak", str(file)])
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        f"{file}: line 3, column marker: marker 115 is already on line 2",
        f"{file}: line 4, column value: the progress value is a number from -2 to 4, not '7'",
        f"{file}: line 4, column signs: unknown contender 'grey', use blue green red white",
    ]


def test_import_keeps_the_deck_and_the_one_before(tmp_path: Path) -> None:
    file, deck = tmp_path / "cards.csv", tmp_path / "kept" / "deck.csv"
    file.write_text(
        dump(default_box()).replace("p001,115,progress,-2", "p001,115,progress,3"), encoding="utf-8"
    )
    for _ in range(2):
        done = RUN.invoke(app, ["import", "olympeak", str(file), "--deck", str(deck)])
        assert done.exit_code == 0, done.output
    assert read(deck).deck["p001"].value == 3
    assert read(tmp_path / "kept" / "deck.csv.bak").deck == read(deck).deck
    assert sorted(path.name for path in deck.parent.iterdir()) == ["deck.csv", "deck.csv.bak"]
    exported = RUN.invoke(app, ["export", "olympeak", "-", "--deck", str(deck)])
    assert "p001,115,progress,3" in exported.stdout
    assert "assumption" not in exported.stderr


def test_import_refuses_a_bad_deck_and_keeps_the_old(tmp_path: Path) -> None:
    file, deck = tmp_path / "cards.csv", tmp_path / "deck.csv"
    deck.write_text(dump(default_box()), encoding="utf-8")
    file.write_text("card,marker\n", encoding="utf-8")
    done = RUN.invoke(app, ["import", "olympeak", str(file), "--deck", str(deck)])
    assert done.exit_code == 1
    assert "line 1: the columns must be" in done.stderr
    assert read(deck).deck == default_box().deck


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    target = tmp_path / "file" / "cards.csv"
    done = RUN.invoke(app, ["export", "olympeak", str(target), "--deck", str(tmp_path / "none.csv")])
    assert isinstance(done.exception, BoxFileError)
    assert str(target) in str(done.exception)


@pytest.mark.parametrize("command", ["export", "check", "import"])
def test_there_are_cards_of_two_games(command: str, tmp_path: Path) -> None:
    assert RUN.invoke(app, [command, "chess", str(tmp_path / "x.csv")]).exit_code == 2


def test_the_cards_of_above_are_exported_corrected_and_brought_in(tmp_path: Path) -> None:
    file, kept = tmp_path / "cards.csv", tmp_path / "kept.csv"
    done = RUN.invoke(app, ["export", "above", str(file), "--deck", str(kept)])
    assert done.exit_code == 0
    assert "calibrate box above" in " ".join(done.stderr.split())
    file.write_text(file.read_text(encoding="utf-8").replace("he2,j,5", "he2,κ,1"), encoding="utf-8")
    done = RUN.invoke(app, ["import", "above", str(file), "--deck", str(kept)])
    assert done.stdout.splitlines()[0] == "ok: 16 of 16 deity cards"
    assert "he2,j,1" in kept.read_text(encoding="utf-8")
    file.write_text("card,letter,ring\nhe2,q,1\n", encoding="utf-8")
    done = RUN.invoke(app, ["check", "above", str(file)])
    assert done.exit_code == 1
    assert "line 2: he2: there is no column 'q'" in done.stderr
