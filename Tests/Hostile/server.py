"""The hostile server. Every behaviour listens on a separate loopback port until standard input or the process ends.

Usage: server.py FOLDER

Writes the trust anchor to FOLDER/hostile-root.pem. Prints one line of JSON for each behaviour (its name, its port, the scheme of its target, the outcomes
that a client may report, and those if it reads nothing after the certificate message), then one line with the pins of the keys. After this line, the server is ready.
"""
import json
import os
import socket
import sys
import threading

import authority
import behaviours
import chains
import floods
import messages
import plain
import starttls
from connection import Connection, Ended
from libcrypto import Refused


def all_behaviours(own):
    found = behaviours.Behaviours()
    plain.add_to(found)
    messages.add_to(found, own)
    floods.add_to(found, own)
    chains.add_to(found, own)
    starttls.add_to(found)
    return found


def serve(behaviour, connected):
    connected.settimeout(600)
    try:
        behaviour.act(Connection(connected))
    except (Ended, Refused, OSError):
        pass
    finally:
        connected.close()


def listen(behaviour):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64 if behaviour.accepts else 0)
    return listener


def accept(behaviour, listener):
    while True:
        connected, _ = listener.accept()
        threading.Thread(target=serve, args=(behaviour, connected), daemon=True).start()


def fill(listener):
    """Fills the backlog with connections that are never accepted. Later connections get no answer."""
    waiting = []
    for _ in range(4):
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(listener.getsockname())
        waiting.append(client)
    return waiting


def main(folder):
    threading.stack_size(256 * 1024)
    own = authority.Authority()
    with open(os.path.join(folder, "hostile-root.pem"), "w") as file:
        file.write(authority.pem(own.root))
    kept = []
    for name, behaviour in all_behaviours(own).items():
        listener = listen(behaviour)
        if behaviour.accepts:
            threading.Thread(target=accept, args=(behaviour, listener), daemon=True).start()
        else:
            kept += [listener, *fill(listener)]
        port = listener.getsockname()[1]
        print(json.dumps({
            "name": name, "port": port, "scheme": behaviour.scheme, "outcomes": behaviour.outcomes,
            "certificateOnlyOutcomes": behaviours.at_certificate(behaviour),
        }))  # fmt: skip
    print(json.dumps({"pins": own.pins}), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: server.py FOLDER")
    main(sys.argv[1])
