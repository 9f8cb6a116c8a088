"""Servers of protocols for which Debian has no server that starts without a permanent installation.

Usage: starttls.py nntp|telnet|mssql|rdp PORT CHAIN KEY

Each connection gets the plain-text part of the protocol as its document describes it, then a TLS handshake, then the end.
  nntp    RFC 4642, section 2.2
  telnet  draft-altman-telnet-starttls-02, sections 3 and 4
  mssql   MS-TDS, sections 2.2.6.5 and 3.2.5.2: the handshake of TLS 1.2 is inside PRELOGIN packets
  rdp     MS-RDPBCGR, section 2.2.1
"""
import socket
import ssl
import sys
import threading


def read(connected, count):
    data = b""
    while len(data) < count:
        part = connected.recv(count - len(data))
        if not part:
            raise OSError("the client closed the connection")
        data += part
    return data


def expect(connected, bytes_):
    got = read(connected, len(bytes_))
    if got != bytes_:
        raise OSError(f"expected {bytes_!r}, got {got!r}")


def nntp(connected, context):
    connected.sendall(b"201 news.example.com ready, no posting\r\n")
    expect(connected, b"STARTTLS\r\n")
    connected.sendall(b"382 Continue with TLS negotiation\r\n")
    context.wrap_socket(connected, server_side=True).unwrap()


def telnet(connected, context):
    # The server asks for the terminal type (RFC 1091), too.
    connected.sendall(bytes.fromhex("fffd18 fffd2e"))
    expect(connected, bytes.fromhex("fffb2e"))
    answers = read(connected, 3 + 6)
    if sorted([answers[:3], answers[3:]]) != sorted([bytes.fromhex("fffc18"), bytes.fromhex("fffa2e01fff0")]):
        raise OSError(f"got {answers!r}")
    connected.sendall(bytes.fromhex("fffa2e01fff0"))
    context.wrap_socket(connected, server_side=True).unwrap()


def rdp(connected, context):
    request = read(connected, 19)
    if request[:4] != bytes.fromhex("03000013") or request[5] != 0xE0 or request[11] != 1 or not request[15] & 1:
        raise OSError(f"got {request!r}")
    connected.sendall(bytes.fromhex("030000130ed000001234000200080001000000"))
    context.wrap_socket(connected, server_side=True).unwrap()


def read_packet(connected):
    header = read(connected, 8)
    if header[0] != 0x12:
        raise OSError(f"expected a PRELOGIN packet, got {header!r}")
    return read(connected, int.from_bytes(header[2:4], "big") - 8)


def mssql(connected, context):
    request = read_packet(connected)
    # The option ENCRYPTION follows VERSION: its token, its offset, and its length 1.
    if request[5] != 1 or request[8:10] != b"\x00\x01":
        raise OSError(f"got {request!r}")
    connected.sendall(bytes.fromhex("0401001a00000100 00000b0006 0100110001 ff 100007d00000 01"))
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(incoming, outgoing, server_side=True)
    while True:
        try:
            session.do_handshake()
            done = True
        except ssl.SSLWantReadError:
            done = False
        data = outgoing.read()
        while data:
            part, data = data[:1000], data[1000:]
            connected.sendall(bytes([0x12, 0 if data else 1]) + (8 + len(part)).to_bytes(2, "big") + bytes(4) + part)
        if done:
            return
        incoming.write(read_packet(connected))


def serve(act, connected, chain, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    connected.settimeout(60)
    try:
        act(connected, context)
    except OSError as error:
        print(error, file=sys.stderr, flush=True)
    finally:
        connected.close()


def main(name, port, chain, key):
    act = {"nntp": nntp, "telnet": telnet, "mssql": mssql, "rdp": rdp}[name]
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(port)))
    listener.listen(16)
    while True:
        connected, _ = listener.accept()
        threading.Thread(target=serve, args=(act, connected, chain, key), daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
