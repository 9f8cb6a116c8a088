"""The registry of behaviours. Each has a name, a function for a connection, and the outcomes that a client may report."""
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Callable

# A trusted chain; an untrusted chain; no chain before the time limit; no chain at the time limit.
TRUSTED, UNTRUSTED, REFUSED, SILENT = "trusted", "untrusted", "refused", "silent"
UNDECIDED = (REFUSED, SILENT)

# The behaviours whose fault follows the certificate message, or is in a key that only the rest of the handshake uses. A client that
# reads nothing after this message reports a chain.
AFTER_CERTIFICATE = {
    TRUSTED: (
        "tls13-certificate-verify-*", "tls13-finished-*", "tls1?-certificate-repeated", "tls1?-certificate-*-after",
        "tls12-server-key-exchange-*", "tls12-server-hello-done-*", "tls12-new-session-ticket-*", "tls12-change-cipher-spec-after-next",
        "tls12-change-cipher-spec-twice", "tls12-finished-*", "tls12-ecdhe-*", "tls12-dhe-*", "tls12-rsa-with-export-key",
        "tls1?-signature-*", "tls12-record-mac-wrong", "tls12-certificate-status-not-asked-for", "tls1?-flood-after-certificate-*",
        "tls12-flood-after-server-hello-done-*", "tls12-flood-before-change-cipher-spec-*", "leaf-key-*",
    ),
    UNTRUSTED: ("leaf-key-*", "chain-in-reverse"),
}  # fmt: skip
# Behaviours with such a name whose fault precedes the certificate message, or makes the certificate unreadable.
BEFORE_CERTIFICATE = ("tls12-finished-at-once", "leaf-key-empty")


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


def at_certificate(behaviour):
    """The outcomes that a client may report if it reads nothing after the certificate message."""
    if behaviour.name in BEFORE_CERTIFICATE:
        return behaviour.outcomes
    found = tuple(outcome for outcome, names in AFTER_CERTIFICATE.items() if any(fnmatch(behaviour.name, name) for name in names))
    # A reset can discard the certificate before the client has read it.
    if found and "reset-after" in behaviour.name:
        return (*found, REFUSED)
    # A message that arrives byte by byte can be complete before the time limit.
    if behaviour.name.endswith("-dripped"):
        return (*behaviour.outcomes, TRUSTED)
    return found or behaviour.outcomes
