"""Settings: file, environment and options, and mistakes that name the key."""

from __future__ import annotations

from datetime import time
from pathlib import Path

import pytest

from companion.settings import Settings, SettingsError, load_settings


def file_with(folder: Path, text: str) -> Path:
    path = folder / "companion.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings()
    assert (settings.camera, settings.controller, settings.port) == ("simulated", "simulated", 8080)
    assert settings.names == ()


def test_the_file_here_is_read_without_being_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file_with(tmp_path, 'port = 8123\nplayers = 4\nnames = ["Eve"]\n')
    monkeypatch.chdir(tmp_path)
    settings = load_settings()
    assert settings.port == 8123
    assert (settings.names, settings.players) == (("Eve",), 4)


def test_options_win_over_environment_and_environment_over_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_with(tmp_path, 'port = 8001\nhost = "10.0.0.1"\ncamera = "usb"\n')
    monkeypatch.setenv("OLYMPUS_PORT", "8002")
    monkeypatch.setenv("OLYMPUS_HOST", "10.0.0.2")
    settings = load_settings(path, port=8003, host=None)
    assert (settings.port, settings.host, settings.camera) == (8003, "10.0.0.2", "usb")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 8080\n", 'unknown key "prot".*Did you mean "port"'),
        ("zzz = 1\n", 'unknown key "zzz".*Known: .*camera'),
        ("port = \n", "no valid TOML.*line 1"),
        ("port = " + "[" * 5000, "no valid TOML"),
        ("port = " + "9" * 5000, "no valid TOML"),
        ("players = 7\n", "setting players in .*companion.toml cannot be 7"),
        ('camera = "webcam"\n', "setting camera in .* cannot be 'webcam'.*usb:NAME"),
        ('camera = "folder:"\n', "setting camera in "),
        ("port = 0\n", "setting port in "),
        ('names = ["Ada", "\\u001b[31mBen"]\n', "setting names in .*printable"),
        ('names = ["\\u202eAda"]\n', "setting names in .*printable"),
        ('journal = ""\n', "setting journal in .*name a file"),
        ('journal = "/"\n', "setting journal in .*name a file"),
        ('profile = ""\n', "setting profile in .*name a file"),
        ('deck = "a\\u0000b"\n', "setting deck in .*name a file"),
        ("night_from = 22\n", 'setting night_from in .*as "22:00"'),
        ('night_to = "7"\n', "setting night_to in "),
        ('night_from = "22:00Z"\n', 'setting night_from in .*as "22:00"'),
        ('names = [""]\n', "setting names in .*1 to 24"),
        ('names = ["Ada", "Ada"]\n', "setting names in .*same name"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        load_settings(file_with(tmp_path, text))


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path / "nowhere.toml")
    (tmp_path / "latin.toml").write_bytes(b'names = ["Ren\xe9"]\n')
    with pytest.raises(SettingsError, match="no valid TOML"):
        load_settings(tmp_path / "latin.toml")


def test_a_bad_environment_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OLYMPUS_PORT", "many")
    with pytest.raises(SettingsError, match="port"):
        load_settings()


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().port = 9


def test_an_environment_variable_that_is_no_list_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OLYMPUS_NAMES", "abc")
    with pytest.raises(SettingsError, match="OLYMPUS_.*names"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("OLYMPUS_PROT", 'variable OLYMPUS_PROT sets nothing. Did you mean "OLYMPUS_PORT"'),
        ("olympus_playres", 'olympus_playres sets nothing. Did you mean "OLYMPUS_PLAYERS"'),
        ("OLYMPUS_ZZZZ", "OLYMPUS_ZZZZ sets nothing. Known: .*OLYMPUS_CAMERA"),
    ],
)
def test_a_misspelt_environment_variable_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, "1")
    with pytest.raises(SettingsError, match=said):
        load_settings()


def test_an_environment_variable_may_be_written_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("olympus_port", "8004")
    assert load_settings().port == 8004


def test_pins_and_night_are_written_as_people_write_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'night_from = 22:30:00\nnight_to = "06:00"\n[pins]\ngreen = 17\nemergency_opens = true\n'
    settings = load_settings(file_with(tmp_path, text))
    assert settings.pins == {"green": 17, "emergency_opens": True}
    assert (settings.night_from, settings.night_to) == (time(22, 30), time(6, 0))
    monkeypatch.setenv("OLYMPUS_PINS", "green=17,yes=5")
    assert load_settings().pins == "green=17,yes=5"
    monkeypatch.setenv("OLYMPUS_PINS", '{"green": 17}')
    assert load_settings().pins == {"green": 17}
    with pytest.raises(SettingsError, match="setting night_from"):
        load_settings(file_with(tmp_path, 'night_from = "late"\n'))
    with pytest.raises(SettingsError, match="setting brightness"):
        load_settings(file_with(tmp_path, "brightness = 0\n"))


def test_a_language_that_is_not_spoken_is_refused_with_those_that_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings(file_with(tmp_path, 'language = "he"\nspeech = "espeak-ng"\n'))
    assert (settings.language, settings.speech) == ("he", "espeak-ng")
    with pytest.raises(SettingsError, match="language .* there is en, fr, he"):
        load_settings(language="xx")
    with pytest.raises(SettingsError, match="setting speech"):
        load_settings(speech="shouting")


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "fe80::1", "192.168.1.20", "localhost", "table.local", "pi4"]
)
def test_what_can_be_an_address_or_a_name_is_taken(host: str) -> None:
    assert Settings(host=host).host == host


@pytest.mark.parametrize(
    "host", ["999.1.1.1", "1.2.3", "a_b::", "no/host", "", "two words", "-x", "0.0.0.0:8080"]
)
def test_what_can_be_no_address_has_to_be_mended_first(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The service is not started again and again for it."""
    monkeypatch.setenv("OLYMPUS_HOST", host)
    with pytest.raises(SettingsError, match="host cannot be .*use an address") as refused:
        load_settings()
    assert refused.value.exit_status == 78


def test_case_does_not_count_in_the_name_of_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("olympus_players", "4")
    assert load_settings().players == 4
