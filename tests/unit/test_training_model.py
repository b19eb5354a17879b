"""Models of `netloom step`: published numbers of parameters, and files that are wrong."""

from __future__ import annotations

import pytest

from netloom.base.errors import NetloomError
from netloom.machine import load
from netloom.machine.presets import shipped as machines
from netloom.training import model
from netloom.training.accelerator import accelerator, of_machine
from netloom.training.accelerator import shipped as gpus
from netloom.training.model import loads, shipped

#: Of the published weights (model cards and papers); active: of one token.
PUBLISHED = {
    "llama3-8b": (8_030_261_248, None),
    "llama3-70b": (70_553_706_496, None),
    "llama3-405b": (405_853_388_800, None),
    "gpt3-175b": (174_604_259_328, None),
    "mixtral-8x7b": (46_702_792_704, 12.9e9),
    "deepseek-v3": (671_026_404_352, 37e9),
}


@pytest.mark.parametrize(("name", "count"), [(name, count) for name, (count, _) in PUBLISHED.items()])
def test_parameters_are_those_that_were_published(name: str, count: int) -> None:
    made = model(name)
    assert made.parameters() == count
    assert made.parameters() == pytest.approx(made.published_parameters, rel=1e-4)
    assert made.source


def test_a_token_meets_the_experts_that_it_takes() -> None:
    for name, (_, active) in PUBLISHED.items():
        if active is not None:
            assert model(name).active_parameters() == pytest.approx(active, rel=0.02)
    assert model("llama3-8b").active_parameters() == model("llama3-8b").parameters()


def test_every_shipped_model_is_tested() -> None:
    assert set(shipped()) == set(PUBLISHED)


MINE = b"[mine]\nlayers = 2\nhidden = 64\nffn = 128\nheads = 4\nvocab = 100\n"


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        (MINE + b"expert = 3\n", "NL-Y002", "experts"),
        (MINE.replace(b"heads = 4", b"heads = 0"), "NL-Y003", "mine.heads"),
        (MINE.replace(b"heads = 4", b"heads = 5"), "NL-Y004", "no multiple of heads 5"),
        (MINE + b"kv_heads = 3\n", "NL-Y004", "kv_heads 3"),
        (MINE + b"experts = 4\ntop_k = 5\n", "NL-Y003", "top_k 5"),
        (MINE + b"dense_layers = 3\n", "NL-Y003", "dense_layers 3"),
        (MINE.replace(b"vocab = 100\n", b""), "NL-Y001", "vocab is missing"),
        (MINE + b"gated = 1\n", "NL-Y003", "true or false"),
        (b"mine = 3\n", "NL-Y001", "a table of a model"),
        (b"", "NL-Y001", "holds no model"),
        (b"[mine\n", "NL-Y001", "m.toml"),
    ],
)
def test_a_wrong_file_says_where(text: bytes, code: str, word: str) -> None:
    with pytest.raises(NetloomError) as found:
        loads(text, "m.toml")
    assert found.value.faults[0].code == code and word in str(found.value)


def test_a_file_may_hold_several(tmp_path) -> None:
    path = tmp_path / "m.toml"
    path.write_bytes(MINE + MINE.replace(b"mine", b"other"))
    assert model(f"{path}:other").name == "other"
    with pytest.raises(NetloomError, match="holds 2 models"):
        model(str(path))
    with pytest.raises(NetloomError, match='did you mean "other"'):
        model(f"{path}:othr")


def test_the_gpus_that_machines_name_are_known() -> None:
    named = [made for name in machines() if (made := load(name)).accelerator is not None]
    assert len(named) >= 8
    for made in named:
        assert of_machine(made).name in gpus()
    assert accelerator("h100").peak("fp8") == pytest.approx(2 * accelerator("h100").peak("bf16"), rel=1e-3)
    with pytest.raises(NetloomError, match="has no fp8"):
        accelerator("a100-80gb").peak("fp8")
