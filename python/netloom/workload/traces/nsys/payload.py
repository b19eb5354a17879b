"""Parameters of calls that NCCL hands to NVTX, as binary payloads with a schema."""

from __future__ import annotations

import struct

from ..database import Database, Value, whole

#: In front of a payload: domain, schema, size of the payload, size in all.
_HEADER = struct.Struct("<IIIIQQ")
#: How numbers of each type are laid out.
_TYPES = {
    1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "q", 8: "Q", 9: "q", 10: "Q", 11: "b", 12: "B", 13: "h", 14: "H",
    15: "i", 16: "I", 17: "q", 18: "Q", 22: "Q",
}  # fmt: skip
#: Longest payload.
MOST_BYTES = 1 << 12


class Payloads:
    """The schemas of a database."""

    def __init__(self, database: Database) -> None:
        self._fields: dict[tuple[int, int], list[tuple[str, int, str]]] = {}
        names = ("domainId", "schemaId", "type", "name", "offset", "idx")
        for domain, schema, kind, name, offset, _ in database.rows("NVTX_PAYLOAD_SCHEMA_ENTRIES", names, "idx"):
            layout = _TYPES.get(whole(kind) or 0)
            if isinstance(domain, int) and isinstance(schema, int) and isinstance(name, str) and layout is not None:
                at = whole(offset, 0) or 0
                self._fields.setdefault((domain, schema), []).append((name.lower(), at, layout))

    def read(self, data: Value) -> dict[str, int]:
        """Fields by name in small letters; none of what is no payload with a schema."""
        if isinstance(data, str):
            try:
                data = bytes.fromhex(data.removeprefix("0x")[: 2 * MOST_BYTES])
            except ValueError:
                return {}
        if not isinstance(data, bytes) or not _HEADER.size <= len(data) <= MOST_BYTES:
            return {}
        domain, _, schema, _, size, _ = _HEADER.unpack_from(data)
        body = data[_HEADER.size :][:size]
        found = {}
        for name, at, layout in self._fields.get((domain, schema), ()):
            if at + struct.calcsize(layout) <= len(body):
                (found[name],) = struct.unpack_from(f"<{layout}", body, at)
        return found
