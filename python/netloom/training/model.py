"""A transformer by a dozen parameters: shipped ones, and those of a user's file."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from importlib.resources import files as resources
from pathlib import Path

from ..base import files
from ..base.errors import Fault, NetloomError
from ..base.nearest import did_you_mean
from ..base.toml import read_toml
from . import codes

#: Bytes that a file of models may have.
MAX_BYTES = 1 << 20
#: No transformer has more of anything.
MOST = 1 << 32


@dataclass(frozen=True)
class Model:
    """What decides the work, the memory and the messages of a training step.

    Attributes
    ----------
    layers, hidden, ffn, heads, vocab
        Of the transformer; `ffn` is the inner width of its MLP.
    kv_heads
        Heads of keys and values; fewer than `heads` is grouped attention. 0: as many.
    head_dim
        Width of a head; 0: hidden / heads.
    sequence
        Tokens of a sequence, where a step does not say.
    experts, top_k, expert_ffn, shared_experts, dense_layers
        Of a mixture: experts of a layer, how many each token takes, their inner width (0: `ffn`), experts that every
        token takes, and layers at the start that have none.
    query_rank, kv_rank, rope_dim
        Of latent attention: ranks of what queries, keys and values are made from, and the width that carries positions.
    gated
        The MLP has three matrices instead of two.
    tied
        Input and output share the embedding.
    biases
        Matrices and norms have them.
    dropout
        The step drops activations, and keeps masks of which.
    learned_positions
        Positions that have an embedding of their own.
    """

    name: str
    layers: int
    hidden: int
    ffn: int
    heads: int
    vocab: int
    kv_heads: int = 0
    head_dim: int = 0
    sequence: int = 2048
    experts: int = 0
    top_k: int = 1
    expert_ffn: int = 0
    shared_experts: int = 0
    dense_layers: int = 0
    query_rank: int = 0
    kv_rank: int = 0
    rope_dim: int = 0
    gated: bool = True
    tied: bool = False
    biases: bool = False
    dropout: bool = False
    learned_positions: int = 0
    source: str = ""
    published_parameters: float = 0.0

    @property
    def width(self) -> int:
        """Of a head."""
        return self.head_dim or self.hidden // self.heads

    @property
    def kv(self) -> int:
        """Heads of keys and values."""
        return self.kv_heads or self.heads

    @property
    def mixed_layers(self) -> int:
        """Layers with experts."""
        return self.layers - self.dense_layers if self.experts else 0

    @property
    def inner(self) -> int:
        """Width inside an expert."""
        return self.expert_ffn or self.ffn

    @property
    def score_width(self) -> int:
        """Numbers of a head that a query meets a key with."""
        return self.width + self.rope_dim

    @property
    def _matrices(self) -> int:
        return 3 if self.gated else 2

    def attention_parameters(self) -> int:
        """Of one layer, without norms."""
        h, heads, width = self.hidden, self.heads, self.width
        if self.kv_rank:
            queries = h * self.query_rank + self.query_rank * heads * self.score_width
            latent = h * (self.kv_rank + self.rope_dim)
            norms = self.query_rank + self.kv_rank
            return queries + latent + norms + self.kv_rank * heads * 2 * width + heads * width * h
        made = h * heads * width * 2 + 2 * h * self.kv * width
        return made + (heads * width + 2 * self.kv * width + h if self.biases else 0)

    def mlp_parameters(self) -> int:
        """Of one dense layer."""
        made = self._matrices * self.hidden * self.ffn
        return made + ((self._matrices - 1) * self.ffn + self.hidden if self.biases else 0)

    def expert_parameters(self) -> int:
        """Of one expert."""
        return self._matrices * self.hidden * self.inner

    def router_parameters(self) -> int:
        """Of one layer with experts."""
        return self.hidden * self.experts

    def norm_parameters(self) -> int:
        """Of one layer."""
        return 2 * self.hidden * (2 if self.biases else 1)

    def embedding_parameters(self) -> int:
        """Of one of the two tables of the vocabulary."""
        return self.vocab * self.hidden

    def layer_parameters(self, mixed: bool) -> int:
        """Of one layer outside of its routed experts; all of them, if it is dense."""
        own = self.attention_parameters() + self.norm_parameters()
        if not mixed:
            return own + self.mlp_parameters()
        return own + self.router_parameters() + self.shared_experts * self.expert_parameters()

    def parameters(self) -> int:
        """All of them."""
        tables = self.embedding_parameters() * (1 if self.tied else 2) + self.learned_positions * self.hidden
        last = self.hidden * (2 if self.biases else 1)
        dense = (self.layers - self.mixed_layers) * self.layer_parameters(False)
        routed = self.experts * self.expert_parameters()
        return tables + last + dense + self.mixed_layers * (self.layer_parameters(True) + routed)

    def active_parameters(self) -> int:
        """That one token meets: of the routed experts only those that it takes."""
        idle = self.mixed_layers * (self.experts - self.top_k) * self.expert_parameters() if self.experts else 0
        return self.parameters() - idle


_KEYS = {one.name: one for one in fields(Model) if one.name != "name"}
_FRACTIONS = ("published_parameters",)


def _model(name: str, said: object, place: str, faults: list[Fault]) -> Model | None:
    where = f"{place}: {name}"
    if not isinstance(said, dict):
        faults.append(Fault(codes.UNREADABLE, where, "a table of a model", repr(said)[:80]))
        return None
    before = len(faults)
    for key, value in said.items():
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS, "keys")
            faults.append(Fault(codes.UNKNOWN, where, "a key of a model", repr(key)[:80], hint))
        elif (words := _wrong(key, value)) is not None:
            faults.append(Fault(codes.BAD_VALUE, f"{where}.{key}", words, repr(value)[:80]))
    for key, row in _KEYS.items():
        if row.default is MISSING and key not in said:
            faults.append(Fault(codes.UNREADABLE, where, f"the key {key} is missing", "", f"write {key} = N"))
    if len(faults) > before:
        return None
    made = Model(name=name, **said)
    faults += _contradictions(made, where)
    return made


def _wrong(key: str, value: object) -> str | None:
    """What a value of this key must be, if it is not."""
    default = _KEYS[key].default
    if isinstance(default, bool):
        return None if isinstance(value, bool) else "true or false"
    if isinstance(default, str):
        return None if isinstance(value, str) else "a text"
    if key in _FRACTIONS:
        return None if type(value) in (int, float) else "a number"
    least = 1 if default is MISSING or default else 0
    return None if type(value) is int and least <= value <= MOST else f"an integer in {least}..{MOST}"


def _contradictions(model: Model, where: str) -> list[Fault]:
    made = []
    if not model.head_dim and model.hidden % model.heads:
        words = f"hidden {model.hidden} is no multiple of heads {model.heads}"
        made.append(Fault(codes.DOES_NOT_DIVIDE, where, words, "", "give head_dim"))
    if model.heads % model.kv:
        words = f"heads {model.heads} are no multiple of kv_heads {model.kv}"
        made.append(Fault(codes.DOES_NOT_DIVIDE, where, words, "", "give kv_heads that divides heads"))
    if model.experts and model.top_k > model.experts:
        words = f"top_k {model.top_k} is more than the {model.experts} experts"
        made.append(Fault(codes.BAD_VALUE, where, words, "", "give a top_k of at most experts"))
    if model.dense_layers > model.layers:
        words = f"dense_layers {model.dense_layers} are more than the {model.layers} layers"
        made.append(Fault(codes.BAD_VALUE, where, words, "", "give dense_layers of at most layers"))
    return made


def loads(data: bytes, place: str) -> dict[str, Model]:
    """The models of a file's bytes by name; `place` is its name for messages.

    Raises
    ------
    NetloomError
        `NL-Y001` to `NL-Y004`, all that is wrong together.
    """
    faults: list[Fault] = []
    table = read_toml(data, place, codes.UNREADABLE, MAX_BYTES)
    made = {name: _model(name, said, place, faults) for name, said in table.items()}
    if not table:
        faults.append(Fault(codes.UNREADABLE, place, "holds no model", "", "write a table such as [my-model]"))
    if faults:
        raise NetloomError(faults)
    return {name: one for name, one in made.items() if one is not None}


def shipped() -> dict[str, Model]:
    """The models that come with netloom."""
    return loads((resources(__package__) / "models.toml").read_bytes(), "models.toml")


def model(text: str, folder: Path = Path()) -> Model:
    """The model of a name, or of a file: `mine.toml` if it holds one, `mine.toml:NAME` if it holds several.

    Raises
    ------
    NetloomError
        `NL-Y002` with the nearest name, `NL-X001` for a missing file, and those of :func:`loads`.
    """
    path, _, name = text.rpartition(":") if ".toml:" in text else (text, "", "")
    if path.endswith(".toml"):
        known = loads(files.read(folder / path), path)
        name = name or (next(iter(known)) if len(known) == 1 else "")
        if not name:
            hint = f"write {path}:NAME, with one of {', '.join(known)}"
            raise NetloomError([Fault(codes.UNKNOWN, "MODEL", f"{path} holds {len(known)} models", "", hint)])
    else:
        name, known = text, shipped()
    if name not in known:
        hint = did_you_mean(name, known, "models") + " (a file's path ends in .toml)"
        raise NetloomError([Fault(codes.UNKNOWN, "MODEL", "the name of a model or a path", repr(name)[:80], hint)])
    return known[name]
