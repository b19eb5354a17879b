"""What is learned from tables, what is refused, and what a model in a file still says."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import netloom
from netloom.learning import (
    LEARNERS,
    Asked,
    Learned,
    Method,
    Samples,
    Shares,
    learn,
    predict,
    read_model,
    read_table,
    samples,
    write_model,
)
from netloom.learning.parts import divided
from netloom.learning.search import Task, search
from netloom.learning.selection import by_quantiles

ROWS = 120


def drawn(seed: int = 0, rows: int = ROWS) -> Samples:
    """The first feature tells nearly all, the second some, the others nothing."""
    draws = np.random.default_rng(seed)
    values = draws.random((rows, 4))
    observed = 1 + 3 * values[:, 0] + values[:, 1] ** 2 + 0.01 * draws.random(rows)
    return Samples("drawn", ("bytes_max", "bytes_mean", "stalls_mean", "fifo_max"), values, "time_s", observed, {})


@pytest.fixture(scope="module")
def made() -> Learned:
    return learn(drawn(), Asked(Method(trees=20)))


def test_parts_are_apart_and_have_their_shares() -> None:
    parts = divided(100, Shares(test=0.25, held_out=0.2), 7)
    rows = [set(map(int, part)) for _, part in parts.named()]
    assert set.union(*rows) == set(range(100)) and sum(map(len, rows)) == 100
    assert [len(one) for one in rows] == [60, 20, 20]
    again = divided(100, Shares(test=0.25, held_out=0.2), 7)
    assert all((a == b).all() for (_, a), (_, b) in zip(parts.named(), again.named(), strict=True))
    assert not np.array_equal(parts.test, divided(100, Shares(test=0.25, held_out=0.2), 8).test)


@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "isotonic"])
def test_every_learner_finds_what_decides(name: str) -> None:
    found = learn(drawn(), Asked(Method(name, trees=None if name == "linear" else 60)))
    best = max(found.importances, key=lambda one: found.importances[one]["permutation"])
    assert best == "bytes_max"
    assert found.model.scores["rcc"].held_out > 0.85  # type: ignore[operator]


def test_a_target_that_is_one_feature_is_ordered_by_it_alone() -> None:
    one = drawn()
    same = replace(one, observed=one.values[:, 0].copy())
    found = learn(same, Asked(Method("isotonic"), search=1))
    assert found.model.features == ("bytes_max",) and found.model.scores["rcc"].test == 1.0


def test_a_shuffled_target_teaches_nothing() -> None:
    """On held-out rows the score is that of chance, whatever the best subset's test score says."""
    fresh, chosen = [], []
    for seed in range(12):
        one = drawn(seed)
        assert one.observed is not None
        shuffled = replace(one, observed=np.random.default_rng(seed).permutation(one.observed))
        found = learn(shuffled, Asked(Method(trees=5, seed=seed), search=2))
        fresh.append(found.model.scores["rcc"].held_out)
        chosen.append(found.model.scores["rcc"].test)
    assert abs(float(np.mean(fresh)) - 0.5) < 0.05
    assert float(np.mean(chosen)) > 0.53


def test_a_search_takes_the_best_subset_whatever_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("netloom.learning.search.WORTH_S", 0.0)
    one = drawn()
    asked = Asked(Method("linear"), search=2, by="r2")
    alone, two = learn(one, asked), learn(one, replace(asked, workers=2))
    assert set(alone.model.features) == {"bytes_max", "bytes_mean"}
    assert alone.chosen == two.chosen and alone.chosen is not None and len(alone.chosen.whole) == 4 + 6
    assert np.array_equal(alone.predicted, two.predicted)
    scores = alone.model.scores["r2"]
    assert scores.test is not None and scores.held_out is not None
    assert alone.optimism == pytest.approx(scores.test - scores.held_out)


def test_many_rows_are_first_looked_at_in_part() -> None:
    one = drawn(rows=2000)
    assert one.observed is not None
    train, test = slice(0, 1300), slice(1300, 2000)
    features = np.column_stack([one.values, np.random.default_rng(1).random((2000, 6))])
    task = Task(Method("linear"), features[train], one.observed[train], features[test], one.observed[test])
    found = search(task, 3, 1)
    assert found.looked == 10 + 45 + 120 and 50 <= len(found.whole) < 110
    assert {0, 1} <= set(found.best("rcc").features)


def test_a_cheap_learner_looks_at_few_rows_first() -> None:
    """The best of what it keeps are rated whole, by the learner itself."""
    one = drawn()
    assert one.observed is not None
    rng = np.random.default_rng(2)
    features = np.column_stack([one.values, rng.random((len(one.values), 6))])
    train, test = slice(0, 80), slice(80, None)
    task = Task(Method(trees=20), features[train], one.observed[train], features[test], one.observed[test])
    found = search(task, 2, 1, look=Method("linear"))
    assert found.looked == 10 + 45 and 50 <= len(found.whole) <= 55
    assert found.best("rcc") == task.rated(found.best("rcc").features)
    assert search(task, 1, 1, look=Method("linear")).looked == 0, "fewer than would be kept"


def test_quantiles_keep_what_matters() -> None:
    one = drawn()
    assert one.observed is not None
    kept, means = by_quantiles(one.values, one.observed, 1, splits=3)
    assert all(max(range(4), key=mean.__getitem__) == 0 for mean in means.values())
    assert kept == [at for at in range(4) if max(mean[at] for mean in means.values()) > 0.1]
    assert all(sum(mean) == pytest.approx(1.0) for mean in means.values())


def test_the_interval_holds_its_share_of_fresh_samples(made: Learned) -> None:
    fresh = drawn(99, 400)
    found = predict(made.model, fresh.of(made.model.features), extrapolate=True)
    assert fresh.observed is not None
    inside = (fresh.observed >= found.low) & (fresh.observed <= found.high)
    assert inside.mean() > made.model.level - 0.1


@pytest.mark.parametrize("name", [name for name in LEARNERS if name != "isotonic"])
def test_a_file_predicts_the_same_bits_and_has_the_same_bytes(name: str, tmp_path: Path) -> None:
    asked = Asked(Method(name, trees=None if name == "linear" else 10))
    found = learn(drawn(), asked)
    for file in ("a.model", "b.model"):
        write_model(learn(drawn(), asked).model, tmp_path / file)
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    read = read_model(tmp_path / "a.model")
    values = drawn(5).values
    assert np.array_equal(read.fitted.predict(values), found.model.fitted.predict(values))
    assert read.facts() == found.model.facts()


def test_a_forest_predicts_the_mean_of_its_trees(made: Learned) -> None:
    """Each tree followed by hand: features are single precision there."""
    values = drawn(6, 30).values.astype(np.float32)
    sums = np.zeros(len(values))
    trees = made.model.fitted.estimators_  # type: ignore[attr-defined]
    for one in trees:
        tree = one.tree_
        for row, point in enumerate(values):
            at = 0
            while tree.children_left[at] != -1:
                goes_left = point[tree.feature[at]] <= tree.threshold[at]
                at = tree.children_left[at] if goes_left else tree.children_right[at]
            sums[row] += tree.value[at][0][0]
    assert made.model.fitted.predict(values) == pytest.approx(sums / len(trees), rel=1e-12)


def _changed(path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    out = path.with_name("changed.model")
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out


def _leads_out(members: dict[str, bytes]) -> None:
    """A child that is no node of its tree, with the digest that belongs to it: an attacker can count too."""
    import hashlib

    inner = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(members["trees.skops"])) as read, zipfile.ZipFile(inner, "w") as out:
        for name in read.namelist():
            data = read.read(name)
            if name.endswith(".npy") and b"left_child" in data[:400]:
                nodes = np.load(io.BytesIO(data))
                nodes["left_child"][0] = 1 << 40
                kept = io.BytesIO()
                np.save(kept, nodes)
                data = kept.getvalue()
            out.writestr(name, data)
    members["trees.skops"] = inner.getvalue()
    about = json.loads(members["about.json"])
    about["sha256"] = hashlib.sha256(members["trees.skops"]).hexdigest()
    members["about.json"] = json.dumps(about).encode()


def _tampered(members: dict[str, bytes]) -> None:
    data = bytearray(members["trees.skops"])
    data[len(data) // 2] ^= 1
    members["trees.skops"] = bytes(data)


def _other_version(members: dict[str, bytes]) -> None:
    members["about.json"] = members["about.json"].replace(b'"version": 1', b'"version": 9')


def _no_ranges(members: dict[str, bytes]) -> None:
    about = json.loads(members["about.json"])
    del about["ranges"]
    members["about.json"] = json.dumps(about).encode()


def _another_member(members: dict[str, bytes]) -> None:
    members["more"] = b""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_tampered, "was changed"), (_leads_out, "lead out of them"), (_other_version, "version 9"),
        (_no_ranges, "ranges: no value"), (_another_member, "other members"),
    ],
)  # fmt: skip
def test_a_file_that_was_changed_is_refused(
    made: Learned, change: Callable[[dict[str, bytes]], None], words: str, tmp_path: Path
) -> None:
    write_model(made.model, tmp_path / "a.model")
    with pytest.raises(netloom.NetloomError, match=words) as error:
        read_model(_changed(tmp_path / "a.model", change))
    assert error.value.faults[0].code == "NL-Q006"


@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"\x80\x04\x95pickle", b"{}", b"\0" * 100])
def test_a_foreign_file_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.model").write_bytes(data)
    with pytest.raises(netloom.NetloomError) as error:
        read_model(tmp_path / "a.model")
    assert error.value.faults[0].code == "NL-Q006"


def test_rows_outside_of_the_ranges_are_refused_or_less_sure(made: Learned) -> None:
    inside = np.array([[0.5, 0.5, 0.5, 0.5]])
    outside = inside + np.array([[1.0, 0, 0, 0]])
    found = predict(made.model, np.vstack([inside, outside]))
    assert set(found.refused) == {1} and "bytes_max is 1.5" in found.refused[1]
    assert math.isnan(found.values[1]) and not math.isnan(found.values[0])
    wider = predict(made.model, np.vstack([inside, outside]), extrapolate=True)
    assert not wider.refused and wider.beyond[0] == 0 < wider.beyond[1]
    share = (wider.high - wider.low) / wider.values
    assert share[1] == pytest.approx(share[0] * (1 + wider.beyond[1]))


TABLE = "bytes_max,time_s,network,note\n" + "".join(f"{i},{i * i + 1},a,x\n" for i in range(30))


def _fault(text: str, tmp_path: Path, target: str = "time_s", features: list[str] | None = None) -> str:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(netloom.NetloomError) as error:
        learn(samples(read_table(tmp_path / "t.csv"), target, features or []), Asked(), features is not None)
    assert "\n" not in error.value.faults[0].expected
    return str(error.value)


def test_bad_tables_are_refused_in_one_line(tmp_path: Path) -> None:
    assert "t.csv: row 3, column bytes_max" in _fault(TABLE.replace("\n1,", "\nnan,"), tmp_path)
    assert "a finite number, got x" in _fault(TABLE, tmp_path, "note")
    assert 'names the column "time_s" twice' in _fault(TABLE.replace("note", "time_s"), tmp_path)
    assert "is the same in all rows" in _fault("a,time_s\n" + "1,2\n1,3\n" * 9, tmp_path, features=["a"])
    assert "there is nothing to learn" in _fault("a,time_s\n" + "1,2\n3,2\n" * 9, tmp_path, features=["a"])
    assert "two are needed" in _fault("\n".join(TABLE.splitlines()[:5]), tmp_path)
    assert "has 2 values: a, b" in _fault(TABLE.replace("\n1,2,a", "\n1,2,b"), tmp_path)
    assert "4 values, as the first line" in _fault(TABLE + "1,2\n", tmp_path)
    assert 'names the target "time_s"' in _fault(TABLE, tmp_path, features=["time_s"])
    assert 'names "bytes_max" twice' in _fault(TABLE, tmp_path, features=["bytes_max", "bytes_max"])
    assert 'did you mean "bytes_max"' in _fault(TABLE, tmp_path, features=["byte_max"])


def test_some_rows_of_a_table_are_chosen(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE.replace("\n1,2,a", "\n1,2,b"))
    raw = read_table(tmp_path / "t.csv").where({"network": "a"})
    assert raw.rows == 29 and samples(raw, "time_s", []).origin == {"network": "a"}
    with pytest.raises(netloom.NetloomError, match="a value of the column"):
        raw.where({"network": "c"})


def test_parquet_is_read_as_csv_is(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    (tmp_path / "t.csv").write_text(TABLE)
    raw = read_table(tmp_path / "t.csv")
    table = pyarrow.table({"bytes_max": [float(i) for i in range(30)], "time_s": [float(i * i + 1) for i in range(30)]})
    parquet.write_table(table, tmp_path / "t.parquet")
    one, other = (samples(read, "time_s", []) for read in (raw, read_table(tmp_path / "t.parquet")))
    assert np.array_equal(one.values, other.values) and np.array_equal(one.observed, other.observed)  # type: ignore[arg-type]
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(netloom.NetloomError, match="no Parquet file"):
        read_table(tmp_path / "bad.parquet")
