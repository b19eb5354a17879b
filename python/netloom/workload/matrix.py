"""Traffic from what other packages hold: matrices of NumPy and SciPy, tables of pandas and Polars, files of `.npz`."""

from __future__ import annotations

import csv
import io
import math
import sys
import zipfile
from typing import TYPE_CHECKING, Any

from .. import _core
from ..base.errors import Fault, NetloomError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.generic]

BAD_VALUE = "NL-A007"
#: Bytes of all arrays of a `.npz` file together, unpacked.
MAX_BYTES = 1 << 30
#: Most arrays in a `.npz` file.
MAX_ARRAYS = 64
#: How SciPy's sparse matrices that are read are stored.
SPARSE = ("csr", "csc", "coo")
ENDING = ".npz"
#: What a matrix has to be.
SQUARE = "a square of bytes from rank to rank"
#: Columns that make a table of messages.
COLUMNS = ("src", "dst", "bytes")


def is_npz(name: str) -> bool:
    """True for the name of a file of arrays."""
    return name.rstrip().lower().endswith(ENDING)


def as_traffic(value: object, label: str = "traffic") -> object:
    """A matrix or a table as traffic; anything else as it is.

    Parameters
    ----------
    value
        A square of bytes, row to column, as an array of NumPy, a sparse matrix of SciPy or a frame of pandas or Polars;
        or a frame with the columns `src`, `dst`, `bytes` and, if wanted, `messages` and `time`.

    Raises
    ------
    NetloomError
        `NL-A007` for what is no square of whole numbers; `NL-F...` for what is wrong in a table.

    Notes
    -----
    O(entries). A matrix has one message for each entry above zero.
    """
    taken: Any = value
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return of_matrix(taken, label)
    if hasattr(value, "tocoo") and hasattr(value, "shape"):
        if len(taken.shape) != 2:
            raise _refused(label, SQUARE, f"an array of shape {taken.shape}")
        coo = taken.tocoo()
        return _of_entries(coo.shape, coo.row, coo.col, coo.data, label)
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(value, networkx.Graph):
        hint = 'networkx.to_scipy_sparse_array(graph, dtype=int, weight="bytes") is the matrix of such an attribute'
        raise _refused(label, SQUARE, "a graph, which is taken as a network", hint)
    if isinstance(value, (list, tuple)):
        raise _refused(label, SQUARE, f"a {type(value).__name__}", "numpy.array(rows) is a matrix")
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):
        names = [str(name) for name in taken.columns]
        return _of_table(taken, names, label) if set(COLUMNS) <= set(names) else of_matrix(taken.to_numpy(), label)
    return value


def of_matrix(matrix: Numbers, label: str) -> _core.Traffic:
    """A square array of bytes from row to column."""
    import numpy as np

    # A numpy.matrix has two dimensions whatever is taken from it.
    matrix = np.asarray(matrix)
    if matrix.ndim != 2:
        raise _refused(label, SQUARE, f"an array of shape {matrix.shape}")
    _numeric(matrix, label)
    source, target = np.nonzero(matrix)
    return _of_entries(matrix.shape, source, target, matrix[source, target], label)


def read_npz(data: bytes, place: str, ranks: int | None) -> _core.Traffic:
    """Traffic of a `.npz` file: one square array, a sparse matrix of SciPy, or the columns of a table.

    Raises
    ------
    NetloomError
        `NL-F003` for what is no such file, `NL-F001` beyond 1 GiB unpacked, `NL-F013` for arrays without a meaning and
        for objects of Python, which are never read; `NL-F009` for more ranks than `ranks`.
    """
    arrays = _arrays(data, place)
    if "format" in arrays:
        made = _sparse(arrays, place)
    elif set(COLUMNS) <= arrays.keys():
        made = _of_table(arrays, list(arrays), place)
    elif len(arrays) == 1:
        made = of_matrix(next(iter(arrays.values())), place)
    else:
        hint = "save one square of bytes, scipy.sparse.save_npz, or arrays called src, dst and bytes"
        sentence = f"holds the arrays {', '.join(map(ascii, list(arrays)[:4]))}: no traffic by these names"
        raise NetloomError([Fault("NL-F013", place, sentence, "", hint)])
    if ranks is None or ranks == made.ranks:
        return made
    if ranks < made.ranks:
        expected = f"traffic of at most {ranks} ranks, as many as the job has"
        raise NetloomError([Fault("NL-F009", place, expected, f"{made.ranks} ranks")])
    return _core.Traffic.read(made.write("traffic-csv"), place, "traffic-csv", ranks)


def _arrays(data: bytes, place: str) -> dict[str, Numbers]:

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_ARRAYS or sum(entry.file_size for entry in entries) > MAX_BYTES:
                raise NetloomError([Fault("NL-F001", place, "holds more than 64 arrays or 1 GiB unpacked")])
            made = {}
            for entry in entries:
                with archive.open(entry) as file:
                    # No more than the archive says, whatever is inside.
                    unpacked = file.read(min(entry.file_size, MAX_BYTES))
                made[entry.filename.removesuffix(".npy")] = _array(unpacked)
    except NetloomError:
        raise
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        hint = "save it with numpy.savez or scipy.sparse.save_npz"
        raise NetloomError([Fault("NL-F003", place, f"is no archive of arrays: {error}", "", hint)]) from None
    except (ValueError, MemoryError) as error:
        hint = "save arrays of numbers with numpy.savez; objects of Python are never read, since that executes code"
        raise NetloomError([Fault("NL-F013", place, f"holds an array that is not read: {error}", "", hint)]) from None
    if not made:
        raise NetloomError([Fault("NL-F004", place, "holds no array", "", "check that it is complete")])
    return made


def _array(unpacked: bytes) -> Numbers:
    """An array of numbers or texts as `numpy.save` writes it.

    Raises
    ------
    ValueError
        For anything else, and for a head that promises more than there is.
    """
    import numpy as np

    file = io.BytesIO(unpacked)
    version = np.lib.format.read_magic(file)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    if version not in read:
        raise ValueError(f"version {version[0]}.{version[1]} of the format is not that of numbers")
    shape, _, dtype = read[version](file)
    wanted = math.prod(shape) * dtype.itemsize
    if not dtype.hasobject and wanted != len(unpacked) - file.tell():
        raise ValueError(f"its head promises {wanted} bytes, and {len(unpacked) - file.tell()} follow")
    return np.lib.format.read_array(io.BytesIO(unpacked), allow_pickle=False)


def _sparse(arrays: dict[str, Numbers], place: str) -> _core.Traffic:
    """As `scipy.sparse.save_npz` stores it."""
    import numpy as np

    word = arrays["format"].item()
    kind = word.decode("ascii", "replace") if isinstance(word, bytes) else str(word)
    if kind not in SPARSE:
        hint = "save matrix.tocsr()"
        raise NetloomError([Fault("NL-F013", f"{place}: format", f"one of {', '.join(SPARSE)}", kind[:20], hint)])
    wanted = ("shape", "data", *(("row", "col") if kind == "coo" else ("indices", "indptr")))
    if missing := [name for name in wanted if name not in arrays]:
        raise NetloomError([Fault("NL-F010", place, f"has no array {', '.join(missing)}", "", "save it again")])
    flat = all(arrays[name].ndim == 1 for name in wanted)
    whole = all(arrays[name].dtype.kind in "iu" for name in wanted if name != "data")
    if not (flat and whole):
        raise NetloomError([Fault("NL-F003", place, "its arrays do not make a sparse matrix", "", "save it again")])
    shape = tuple(int(extent) for extent in arrays["shape"][:3])
    if kind == "coo":
        sound = len(arrays["row"]) == len(arrays["col"]) == len(arrays["data"])
        rows, columns = arrays["row"], arrays["col"]
    else:
        first, columns = arrays["indptr"], arrays["indices"]
        lines = shape[0 if kind == "csr" else -1] if shape else 0
        sound = len(columns) == len(arrays["data"]) and len(first) == lines + 1
        sound = sound and first[0] == 0 and first[-1] == len(columns)
        starts: NDArray[np.int64] = first.astype(np.int64) if sound else np.zeros(lines + 1, dtype=np.int64)
        counts = starts[1:] - starts[:-1]
        sound = sound and not bool((counts < 0).any())
        rows = np.repeat(np.arange(lines), counts) if sound else columns
        if kind == "csc":
            rows, columns = columns, rows
    if not sound:
        raise NetloomError([Fault("NL-F003", place, "its arrays do not make a sparse matrix", "", "save it again")])
    return _of_entries(shape, rows, columns, arrays["data"], place)


def _of_entries(shape: tuple[int, ...], row: Numbers, column: Numbers, data: Numbers, label: str) -> _core.Traffic:
    import numpy as np

    if len(shape) != 2 or shape[0] != shape[1] or not 1 <= shape[0] <= 1 << 24:
        raise _refused(label, "a square of 1 to 2^24 ranks", f"shape {shape}")
    _numeric(data, label)
    size = data.astype(np.float64)
    if not np.all(np.isfinite(size) & (size >= 0) & (size < 2.0**63) & (size == np.floor(size))):
        wrong = next(float(one) for one in size if not (one >= 0 and one < 2.0**63 and one == np.floor(one)))
        raise _refused(label, "whole numbers of bytes, zero or more", f"{wrong:g}")
    there = size > 0
    source, target = (np.asarray(ends)[there].astype(np.int64) for ends in (row, column))
    exact = data[there].astype(np.int64) if data.dtype.kind in "iub" else size[there].astype(np.int64)
    return _core.Traffic.from_flows(label, int(shape[0]), source, target, np.ones_like(source), exact)


def _of_table(table: Any, names: list[str], label: str) -> _core.Traffic:
    """Columns by name, read as the lines of a table, with all checks of its reader."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    columns = [table[name].tolist() if hasattr(table[name], "tolist") else list(table[name]) for name in names]
    if len({len(column) for column in columns}) > 1:
        raise _refused(label, "columns of one length", ", ".join(str(len(column)) for column in columns))
    writer.writerows(zip(*columns, strict=True))
    return _core.Traffic.read(text.getvalue().encode(), label, "traffic-csv")


def _numeric(array: Numbers, label: str) -> None:
    if array.dtype.kind not in "iufb":
        raise _refused(label, "integers or reals", f"an array of {array.dtype}")


def _refused(label: str, expected: str, got: str, hint: str = "") -> NetloomError:
    hint = hint or "give a square array of bytes, or a table with the columns src, dst, bytes"
    return NetloomError([Fault(BAD_VALUE, label, expected, got, hint)])
