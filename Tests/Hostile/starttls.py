"""Servers of protocols with STARTTLS, which misbehave before TLS begins."""
from behaviours import REFUSED, SILENT, UNDECIDED
from connection import ALERT, alert, generator, record

FEATURES = (
    b"<stream:stream xmlns:stream='http://etherx.jabber.org/streams'><stream:features>"
    b"<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>"
)
PROCEED = b"<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
# For each scheme: whether the client speaks first, the correct replies of a server, a refusal, and a message without end.
SERVERS = {
    "smtp": (
        False, [b"220 a ESMTP\r\n", b"250-a\r\n250 STARTTLS\r\n", b"220 go\r\n"],
        b"554 no \x1b[31m\r\n", b"220-more\r\n"),
    "lmtp": (
        False, [b"220 a LMTP\r\n", b"250-a\r\n250 STARTTLS\r\n", b"220 go\r\n"], b"421 no\r\n", b"220-more\r\n"),
    "imap": (False, [b"* OK ready\r\n", b"P1 OK go\r\n"], b"* BYE \xff\x00 no\r\n", b"* OK " + b"x" * 1000),
    "pop3": (False, [b"+OK ready\r\n", b"+OK go\r\n"], b"-ERR no\r\n", b"+OK " + b"x" * 1000),
    "ftp": (False, [b"220 ready\r\n", b"234 go\r\n"], b"421 no\r\n", b"220-more\r\n"),
    "nntp": (False, [b"200 ready\r\n", b"382 go\r\n"], b"400 no\r\n", b"200-more\r\n"),
    "sieve": (
        False, [b'"IMPLEMENTATION" "a"\r\n"STARTTLS"\r\nOK\r\n', b"OK go\r\n"], b"BYE no\r\n", b'"SIEVE" "more"\r\n'),
    "irc": (True, [b":a 670 * :go\r\n"], b":a 691 * :no\r\n", b":a NOTICE * :more\r\n"),
    "ldap": (
        True, [bytes.fromhex("300c02010178070a010004000400")], bytes.fromhex("300c02010178070a010204000400"),
        bytes.fromhex("3084000f0000") + bytes(1000)),
    "telnet": (
        True, [bytes.fromhex("fffd2e"), bytes.fromhex("fffa2e01fff0")], bytes.fromhex("fffe2e"),
        bytes.fromhex("fffb01fffb03")),
    "xmpp": (True, [FEATURES, PROCEED], b"<stream:error><x/></stream:error>", b"<stream:stream a='" + b"x" * 1000),
    "xmpp-server": (True, [FEATURES, PROCEED], b"<failure/>", b"<stream:features><x/>"),
    "postgres": (True, [b"S"], b"N", b"E\x00\x00\xff\xff" + b"x" * 1000),
    "mysql": (
        False, [bytes.fromhex("200000000a380001000000") + b"n" * 8 + bytes.fromhex("00fffb") + bytes(14)],
        bytes.fromhex("0a000000ff6a04") + b"no host", bytes.fromhex("ff0f00000a") + b"8" * 1000),
    "mssql": (
        True, [bytes.fromhex("0401000f00000100" "0100060001ff" "01")],
        bytes.fromhex("0401000f00000100" "0100060001ff" "02"), bytes.fromhex("04010fff00000100") + b"\x05" * 1000),
    "rdp": (
        True, [bytes.fromhex("030000130ed000001234000200080001000000")],
        bytes.fromhex("030000130ed000001234000300080005000000"), bytes.fromhex("030003ff0ed0") + bytes(1000)),
}  # fmt: skip


def plays(client_speaks_first, replies, then):
    """Sends each reply after a message of the client, then calls `then`. The first reply of a server that speaks first needs none."""

    def act(connection):
        for index, reply in enumerate(replies):
            if index > 0 or client_speaks_first:
                connection.read_some()
            connection.send(reply)
        then(connection)

    return act


def waits(connection):
    connection.wait_for_end()


def closes(connection):
    pass


def sends(bytes_):
    def then(connection):
        connection.send(bytes_)
        connection.wait_for_end()

    return then


def add_to(behaviours):
    for scheme, (first, replies, refusal, endless) in SERVERS.items():

        def add(name, outcomes, act, scheme=scheme):
            behaviours.add(f"starttls-{scheme}-{name}", outcomes, act, scheme=scheme)

        for index in range(len(replies) + 1):
            add(f"closes-after-{index}", REFUSED, plays(first, replies[:index], closes))
        add("silent", SILENT, plays(first, [], waits))
        add("silent-in-the-middle", SILENT, plays(first, [replies[0][:-1]] if len(replies[0]) > 1 else [], waits))
        add("refuses", REFUSED, plays(first, [refusal], waits))
        add("refuses-at-the-end", REFUSED, plays(first, replies[:-1] + [refusal], waits))
        add("injects", REFUSED, plays(first, replies[:-1] + [replies[-1] + b"\x16\x03\x03\x00\x04"], waits))
        add("injects-text", REFUSED, plays(first, replies[:-1] + [replies[-1] + b"a OK\r\n"], waits))
        add("text-in-tls", REFUSED, plays(first, replies, sends(b"220 plain text\r\n")))
        add("endless", REFUSED, plays(first, [], lambda c, endless=endless: c.flood(endless)))
        add("endless-noise", UNDECIDED, plays(first, [], lambda c: c.flood(generator.randbytes(65536))))
        add("endless-zeros", REFUSED, plays(first, [], lambda c: c.flood(bytes(4096))))
        add("tls-at-once", REFUSED, plays(first, [], sends(record(ALERT, alert(2, 40)))))
        # The client may wait for the rest of a reply.
        for index, reply in enumerate(replies):
            half = reply[: len(reply) // 2]
            add(f"wrong-after-half-{index}", UNDECIDED, plays(first, replies[:index] + [half + b"\xff\x00\n"], waits))
        add("dripped", (REFUSED, SILENT), plays(first, [], lambda c, endless=endless: c.drip(endless * 500)))
    add = behaviours.add
    early = b"".join(SERVERS["smtp"][1])
    add("starttls-smtp-answers-in-advance", REFUSED, lambda c: sends(early)(c), scheme="smtp")
    first, replies, _, _ = SERVERS["mssql"]
    # Packets without contents count for the limit of the handshake.
    empty = bytes.fromhex("1201000800000000") * 8192
    add("starttls-mssql-endless-empty-packets", REFUSED, plays(first, replies, lambda c: c.flood(empty)), scheme="mssql")
    add("starttls-smtp-does-not-offer", REFUSED, plays(False, [b"220 a\r\n", b"250 a\r\n"], waits), scheme="smtp")
