"""Floods in the middle of a handshake and after it."""
from behaviours import TRUSTED, UNDECIDED
from connection import ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, HEARTBEAT, alert, message, prefixed, record
from handshake import (
    CERTIFICATE_REQUEST, FINISHED, HELLO_REQUEST, KEY_UPDATE, NEW_SESSION_TICKET, TLS12, TLS13, Server, extension,
)
from messages import STEPS_12, before

TICKET_13 = bytes(8) + prefixed(b"n", 1) + prefixed(b"t" * 100, 2) + prefixed(b"", 2)
REQUEST_13 = prefixed(b"c", 1) + prefixed(extension(13, prefixed(b"\x04\x03", 2)), 2)
# The record that each flood repeats: its content type and its payload.
FLOODS = {
    "hello-request": (HANDSHAKE, message(HELLO_REQUEST, b"")),
    "hello-requests-packed": (HANDSHAKE, message(HELLO_REQUEST, b"") * 4096),
    "warning": (ALERT, alert(1, 90)),
    "empty-handshake-record": (HANDSHAKE, b""),
    "empty-application-data": (APPLICATION_DATA, b""),
    "application-data": (APPLICATION_DATA, b"x" * 16384),
    "change-cipher-spec": (CHANGE_CIPHER_SPEC, b"\x01"),
    "session-ticket": (HANDSHAKE, message(NEW_SESSION_TICKET, bytes(4) + prefixed(b"t" * 100, 2))),
    "heartbeat": (HEARTBEAT, b"\x01\x00\x04beat" + bytes(16)),
    "unknown-content-type": (99, b"x"),
}
FLOODS_13 = FLOODS | {
    "session-ticket": (HANDSHAKE, message(NEW_SESSION_TICKET, TICKET_13)),
    "session-tickets-packed": (HANDSHAKE, message(NEW_SESSION_TICKET, TICKET_13) * 130),
    "certificate-request": (HANDSHAKE, message(CERTIFICATE_REQUEST, REQUEST_13)),
    "finished": (HANDSHAKE, message(FINISHED, bytes(32))),
}


def flood_after(kind, payload):
    """Sends the message, then the flood."""

    def act(server, bytes_):
        server.put(bytes_)
        server.flood(kind, payload)

    return act


def flood_inside(kind, payload):
    """Sends half of the message, then the flood."""

    def act(server, bytes_):
        server.transmit(HANDSHAKE, bytes_[:10])
        server.flood(kind, payload)

    return act


def key_updates(asks):
    def act(server, *_):
        while True:
            server.key_update(asks)

    return act


def plain_changes(server, *_):
    """Records that a client may ignore in TLS 1.3 (RFC 8446, section 5)."""
    server.connection.flood(record(CHANGE_CIPHER_SPEC, b"\x01"))


def drip(server, *_):
    while True:
        server.transmit(APPLICATION_DATA, b"x")
        server.connection.pause(0.05)


def add_to(behaviours, authority):
    def add(name, outcomes, kind, **changes):
        behaviours.add(name, outcomes, lambda connection: kind(connection, authority.good, **changes).run())

    for name, (kind, payload) in FLOODS.items():
        for step in ("server-hello", "certificate", "server-hello-done"):
            instead = {step: flood_after(kind, payload)}
            add(f"tls12-flood-after-{step}-{name}", UNDECIDED, TLS12, instead=instead)
        instead = {"change-cipher-spec": lambda server, bytes_, k=kind, p=payload: server.flood(k, p)}
        add(f"tls12-flood-before-change-cipher-spec-{name}", UNDECIDED, TLS12, instead=instead, steps=STEPS_12)
        add(f"tls12-flood-inside-certificate-{name}", UNDECIDED, TLS12, instead={"certificate": flood_inside(kind, payload)})
        after = lambda server, k=kind, p=payload: server.flood(k, p)  # noqa: E731
        add(f"tls12-flood-after-handshake-{name}", TRUSTED, TLS12, after=after)
    for name, (kind, payload) in FLOODS_13.items():
        for step in ("encrypted-extensions", "certificate"):
            instead = {step: flood_after(kind, payload)}
            add(f"tls13-flood-after-{step}-{name}", UNDECIDED, TLS13, instead=instead)
        add(f"tls13-flood-inside-certificate-{name}", UNDECIDED, TLS13, instead={"certificate": flood_inside(kind, payload)})
        after = lambda server, k=kind, p=payload: server.flood(k, p)  # noqa: E731
        add(f"tls13-flood-after-handshake-{name}", TRUSTED, TLS13, after=after)
    for asks in (0, 1):
        name = f"key-update-{'asked-back' if asks else 'alone'}"
        instead = {"certificate": key_updates(asks)}
        add(f"tls13-flood-before-certificate-{name}", UNDECIDED, TLS13, instead=instead)
        add(f"tls13-flood-after-handshake-{name}", TRUSTED, TLS13, after=key_updates(asks))
    add("tls13-flood-before-certificate-plain-change-cipher-spec", UNDECIDED, TLS13, instead={"certificate": plain_changes})
    add("tls13-flood-after-handshake-plain-change-cipher-spec", TRUSTED, TLS13, after=plain_changes)
    add("tls13-flood-of-padding", UNDECIDED, TLS13, instead={"certificate": padding})
    for kind in (TLS12, TLS13):
        version = kind.__name__.lower()
        add(f"{version}-drip-after-handshake", TRUSTED, kind, after=drip)
        add(f"{version}-close-after-handshake", TRUSTED, kind, after=lambda server: None)
        add(f"{version}-reset-after-handshake", (TRUSTED, *UNDECIDED), kind, after=lambda server: server.connection.reset())
        add(f"{version}-warning-after-handshake", TRUSTED, kind, after=lambda server: server.transmit(ALERT, alert(1, 0)))
        add(f"{version}-alert-after-handshake", TRUSTED, kind, after=lambda server: server.transmit(ALERT, alert(2, 80)))
        for step in ("server-hello", "certificate"):
            add(f"{version}-{step}-dripped", UNDECIDED, kind, instead={step: dripped})


def padding(server, *_):
    while True:
        server.connection.send(server.cipher.encrypt(HANDSHAKE, b"", padding=16000))


def dripped(server, bytes_):
    encrypted = server.cipher.encrypt(HANDSHAKE, bytes_) if server.cipher else record(HANDSHAKE, bytes_)
    server.connection.drip(encrypted)
