"""The registry of behaviours: each has a name, what it does to a connection, and the outcomes that a client may report."""
from dataclasses import dataclass
from typing import Callable

# The chain is shown and validates; it is shown and does not; the host is undecided before its time is up; or only then.
TRUSTED, UNTRUSTED, REFUSED, SILENT = "trusted", "untrusted", "refused", "silent"
UNDECIDED = (REFUSED, SILENT)


@dataclass
class Behaviour:
    name: str
    act: Callable
    outcomes: tuple
    # Whether connections are accepted at all.
    accepts: bool = True


class Behaviours(dict):
    def add(self, name, outcomes, act, **more):
        if name in self:
            raise ValueError(f"two behaviours are called {name}")
        # It is a label of a host name.
        if len(name) > 63:
            raise ValueError(f"the name {name} is too long")
        outcomes = outcomes if isinstance(outcomes, tuple) else (outcomes,)
        self[name] = Behaviour(name, act, outcomes, **more)
