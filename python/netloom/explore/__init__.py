"""The explorer: a local page on which a scenario is changed by hand, and what that does to loads, time and price.

`netloom explore` serves it; `still_page` makes one without a server, with answers for a few choices computed before.
"""

from .codes import CODES
from .server import Server
from .still import still_page

__all__ = ["CODES", "Server", "still_page"]
