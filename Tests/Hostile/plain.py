"""Servers that send no ServerHello: silence, resets, plain text, invalid records."""
from behaviours import REFUSED, SILENT, UNDECIDED
from connection import (
    ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, HEARTBEAT, alert, generator, message, record,
)
from handshake import HELLO_REQUEST, SERVER_HELLO

GREETINGS = {
    "smtp": b"220 mail.example.test ESMTP\r\n",
    "imap": b"* OK IMAP4rev1 ready\r\n",
    "pop3": b"+OK POP3 ready\r\n",
    "ftp": b"220 FTP ready\r\n",
    "ssh": b"SSH-2.0-Example\r\n",
    "mysql": bytes.fromhex("4a0000000a382e302e3335") + bytes(67),
    "telnet": bytes.fromhex("fffd18fffd20fffd23fffd27"),
    "escape-codes": b"\x1b]0;title\x07\x1b[2J\x1b[1;1H" + "\u202e\u0085\u200b".encode() + b"\x9b31m\r\n",
    "workflow-command": b"::error file=a,line=1::text\n::add-mask::x\r\n",
    "several-lines": b"one\npinctl: error: two\r\nthree\n",
    "long-line": b"A" * 100000,
    "nul": bytes(64),
    "invalid-utf8": b"\xc3\x28\xff\xfe\xf8\xa1\xa1\xa1\xa1\r\n",
    "http-answer": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "html": b"<!DOCTYPE html><html><title>400</title></html>",
    "http2-settings": bytes.fromhex("000000040000000000"),
    "ssl2-hello": bytes.fromhex("801c04000100020000000300100700c00000000000000000000000000000"),
    "dtls-record": bytes.fromhex("16fefd0000000000000000000102000000"),
    "postgres-refusal": b"N",
    "socks-refusal": bytes.fromhex("05ff"),
}
FRAMES = {
    "unknown-content-type-0": record(0, b"\0\0"),
    "unknown-content-type-25": record(25, b"\0\0"),
    "unknown-content-type-255": record(255, b"\0\0"),
    "heartbeat-request": record(HEARTBEAT, b"\x01\x40\x00" + b"x" * 19),
    "application-data-first": record(APPLICATION_DATA, b"x" * 40),
    "change-cipher-spec-first": record(CHANGE_CIPHER_SPEC, b"\x01"),
    "change-cipher-spec-of-two": record(CHANGE_CIPHER_SPEC, b"\x01\x01"),
    "record-version-0000": record(HANDSHAKE, message(SERVER_HELLO, bytes(70)), version=0),
    "record-version-0200": record(HANDSHAKE, message(SERVER_HELLO, bytes(70)), version=0x0200),
    "record-version-0399": record(HANDSHAKE, message(SERVER_HELLO, bytes(70)), version=0x0399),
    "record-version-7f1c": record(HANDSHAKE, message(SERVER_HELLO, bytes(70)), version=0x7F1C),
    "record-length-ffff": record(HANDSHAKE, bytes(65535)),
    "record-length-4801": record(HANDSHAKE, bytes(18433)),
    "alert-level-0": record(ALERT, alert(0, 40)),
    "alert-level-3": record(ALERT, alert(3, 40)),
    "alert-empty": record(ALERT, b""),
    "alert-of-one-byte": record(ALERT, b"\x02"),
    "alert-of-three-bytes": record(ALERT, b"\x02\x28\x00"),
    "alert-twice-in-a-record": record(ALERT, alert(1, 90) + alert(2, 40)),
    "alert-warning-close-notify": record(ALERT, alert(1, 0)),
    "client-hello": record(HANDSHAKE, message(1, bytes(100))),
    "message-type-unknown": record(HANDSHAKE, message(99, bytes(100))),
    "message-length-ffffff": record(HANDSHAKE, message(SERVER_HELLO, b"", length=0xFFFFFF)),
}
# A client ignores these bytes and waits for more.
PASSED_OVER = {
    "hello-request": record(HANDSHAKE, message(HELLO_REQUEST, b"")),
    "empty-handshake-record": record(HANDSHAKE, b""),
    "warning-user-canceled": record(ALERT, alert(1, 90)),
    "warning-unrecognized-name": record(ALERT, alert(1, 112)),
    "warning-unknown": record(ALERT, alert(1, 200)),
}
FATAL_ALERTS = {
    0: "close-notify", 10: "unexpected-message", 20: "bad-record-mac", 22: "record-overflow", 40: "handshake-failure",
    42: "bad-certificate", 47: "illegal-parameter", 48: "unknown-ca", 49: "access-denied", 50: "decode-error",
    70: "protocol-version", 71: "insufficient-security", 80: "internal-error", 86: "inappropriate-fallback",
    109: "missing-extension", 112: "unrecognized-name", 116: "certificate-required", 120: "no-application-protocol",
    255: "unknown",
}  # fmt: skip


def answer(bytes_, then):
    """Sends these bytes after the ClientHello."""

    def act(connection):
        connection.read_record()
        connection.send(bytes_)
        then(connection)

    return act


def greet(bytes_, then):
    """Sends these bytes at once."""

    def act(connection):
        connection.send(bytes_)
        then(connection)

    return act


def waits(connection):
    connection.wait_for_end()


def closes(connection):
    pass


def add_to(behaviours):
    add_connections(behaviours)
    for name, bytes_ in GREETINGS.items():
        # The bytes can look like the beginning of a record, and then pinctl waits for the rest.
        behaviours.add(f"greeting-{name}", REFUSED, greet(bytes_, waits))
    for name in ("smtp", "http-answer", "escape-codes"):
        behaviours.add(f"answer-{name}", REFUSED, answer(GREETINGS[name], closes))
    behaviours.add("text-endless", REFUSED, lambda connection: connection.flood(b"No end to this line. "))
    behaviours.add("text-endless-lines", REFUSED, lambda connection: connection.flood(b"a line\r\n"))
    behaviours.add("text-endless-zeros", REFUSED, lambda connection: connection.flood(bytes(4096)))
    behaviours.add("text-endless-noise", UNDECIDED, lambda connection: connection.flood(generator.randbytes(65536)))
    behaviours.add("text-dripped", REFUSED, lambda connection: connection.drip(b"220 " + b"x" * 100000))
    behaviours.add("hello-returned", REFUSED, returns_hello)
    for name, bytes_ in FRAMES.items():
        outcomes = UNDECIDED if name == "message-length-ffffff" else REFUSED
        behaviours.add(f"frame-{name}", outcomes, answer(bytes_, closes))
    for name, bytes_ in PASSED_OVER.items():
        behaviours.add(f"frame-{name}-then-nothing", SILENT, answer(bytes_, waits))
        behaviours.add(f"flood-before-handshake-{name}", UNDECIDED, answer(b"", lambda c, bytes_=bytes_: c.flood(bytes_)))
        behaviours.add(f"flood-at-once-{name}", UNDECIDED, greet(b"", lambda c, bytes_=bytes_: c.flood(bytes_)))
    for name in ("change-cipher-spec-first", "application-data-first", "heartbeat-request", "unknown-content-type-255"):
        bytes_ = FRAMES[name]
        behaviours.add(f"flood-before-handshake-{name}", REFUSED, answer(b"", lambda c, bytes_=bytes_: c.flood(bytes_)))
    many = record(HANDSHAKE, message(HELLO_REQUEST, b"") * 4096)
    behaviours.add("flood-before-handshake-hello-requests-packed", UNDECIDED, answer(b"", lambda c: c.flood(many)))
    for code, name in FATAL_ALERTS.items():
        behaviours.add(f"alert-fatal-{name}", REFUSED, answer(record(ALERT, alert(2, code)), closes))
    behaviours.add("record-never-whole", SILENT, answer(record(HANDSHAKE, bytes(100), length=16000), waits))
    behaviours.add("record-closed-inside", REFUSED, answer(record(HANDSHAKE, bytes(100), length=16000), closes))
    behaviours.add("record-header-never-whole", SILENT, answer(b"\x16\x03", waits))
    behaviours.add("record-header-closed-inside", REFUSED, answer(b"\x16\x03", closes))
    behaviours.add("record-dripped", SILENT, answer(b"", lambda c: c.drip(record(HANDSHAKE, bytes(16000)))))


def add_connections(behaviours):
    behaviours.add("never-accepts", SILENT, closes, accepts=False)
    behaviours.add("accepts-and-waits", SILENT, waits)
    behaviours.add("accepts-and-closes", REFUSED, closes)
    behaviours.add("accepts-and-resets", REFUSED, lambda connection: connection.reset())
    behaviours.add("accepts-and-half-closes", REFUSED, half_closes)
    behaviours.add("reads-hello-and-waits", SILENT, answer(b"", waits))
    behaviours.add("reads-hello-and-closes", REFUSED, answer(b"", closes))
    behaviours.add("reads-hello-and-resets", REFUSED, answer(b"", lambda connection: connection.reset()))
    behaviours.add("reads-part-of-hello-and-closes", REFUSED, lambda connection: connection.read(7))


def half_closes(connection):
    connection.half_close()
    connection.wait_for_end()


def returns_hello(connection):
    kind, payload = connection.read_record()
    connection.send(record(kind, payload))
    connection.wait_for_end()
