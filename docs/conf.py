"""Sphinx configuration."""

project = "netloom"
author = "The netloom authors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
# Notebooks are shown as they were executed; tests/docs/test_notebooks.py executes them again.
nb_execution_mode = "off"
exclude_patterns = ["_build", "jupyter_execute", "**/.ipynb_checkpoints"]
html_theme = "furo"
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
autodoc_typehints = "none"
napoleon_use_ivar = True
suppress_warnings = ["myst.xref_missing"]
