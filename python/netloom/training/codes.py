"""Faults of training steps; `docs/reference/errors.md` is generated from these rows."""

from __future__ import annotations

UNREADABLE = "NL-Y001"
UNKNOWN = "NL-Y002"
BAD_VALUE = "NL-Y003"
DOES_NOT_DIVIDE = "NL-Y004"
DOES_NOT_FIT = "NL-Y005"
NO_ACCELERATOR = "NL-Y006"
NO_SPLIT = "NL-Y007"

#: ``(code, title, cause, action)``
CODES: list[tuple[str, str, str, str]] = [
    (
        UNREADABLE,
        "File of models cannot be read",
        "It is no TOML, is too large, or a model in it is no table of numbers.",
        "Write a table for each model, with the keys of docs/reference/models.md.",
    ),
    (
        UNKNOWN,
        "Unknown model, key, schedule or precision",
        "No model of that name is shipped or in the file, or a key or an option's value is not known.",
        "Use the name that the hint proposes.",
    ),
    (
        BAD_VALUE,
        "Value of a model or a split is out of range",
        "A count is zero or negative, or a share is not between 0 and 1.",
        "Give a value of the range that the message names.",
    ),
    (
        DOES_NOT_DIVIDE,
        "Split does not divide",
        "Degrees do not multiply to the GPUs, or one does not divide heads, layers, experts, batch or sequence.",
        "Change the degree that the message names as the hint says.",
    ),
    (
        DOES_NOT_FIT,
        "Model does not fit into the memory of a GPU",
        "Parameters, gradients, optimizer and activations need more bytes than the GPU has.",
        "Take more tensor or pipeline parallelism, a higher ZeRO stage, recomputation, or a smaller micro-batch.",
    ),
    (
        NO_ACCELERATOR,
        "The machine does not say which GPU it has",
        "Peak rates and memory of a GPU are known by its name, which neither the machine nor an option gives.",
        "Give --gpu NAME, or the key accelerator in the file of the machine.",
    ),
    (
        NO_SPLIT,
        "No split is possible",
        "Every way to divide the model over the GPUs is refused.",
        "Take another number of GPUs, another batch, or look at the reasons that are counted.",
    ),
]
