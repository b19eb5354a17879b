"""Every row of every registry as a parameter."""

from __future__ import annotations

import pytest

from .rows import all_rows


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "row" in metafunc.fixturenames:
        found = all_rows()
        metafunc.parametrize("row", found, ids=[f"{row['kind']}-{row['name']}" for row in found])
