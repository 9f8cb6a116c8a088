"""The registry of behaviours. Each has a name, a function for a connection, and the outcomes that a client may report."""
from dataclasses import dataclass
from typing import Callable

# A trusted chain; an untrusted chain; no chain before the time limit; no chain at the time limit.
TRUSTED, UNTRUSTED, REFUSED, SILENT = "trusted", "untrusted", "refused", "silent"
UNDECIDED = (REFUSED, SILENT)


@dataclass
class Behaviour:
    name: str
    act: Callable
    outcomes: tuple
    # Whether connections are accepted at all.
    accepts: bool = True
    # The scheme of the target, for protocols with STARTTLS.
    scheme: str = ""


class Behaviours(dict):
    def add(self, name, outcomes, act, **more):
        if name in self:
            raise ValueError(f"two behaviours are called {name}")
        # The name is a label of a host name.
        if len(name) > 63:
            raise ValueError(f"the name {name} is too long")
        outcomes = outcomes if isinstance(outcomes, tuple) else (outcomes,)
        self[name] = Behaviour(name, act, outcomes, **more)
