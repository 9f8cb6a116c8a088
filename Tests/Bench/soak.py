"""Runs pinctl for many good and hostile hosts, and checks its results, descriptors and memory.

usage: soak.py FOLDER PINCTL HOSTS

FOLDER contains the test PKI and the program once.
"""
import collections
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

folder, pinctl, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
jobs = 64
quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def fail(text):
    sys.exit(f"soak: {text}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def misbehave(connection, number):
    """Behaves like one of several hostile servers."""
    kind = number % 8
    try:
        connection.settimeout(10)
        if kind == 1:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif kind == 2:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        elif kind == 3:
            connection.sendall(os.urandom(4096))
        elif kind == 4:
            connection.recv(4096)
            connection.sendall(bytes([22, 3, 3, 64, 0, 2, 0, 0, 90]))
        elif kind == 5:
            connection.recv(4096)
            connection.sendall(bytes([21, 3, 3, 0, 2, 2, 80]))
        elif kind == 6:
            # A ServerHello with random contents.
            connection.recv(4096)
            connection.sendall(bytes([22, 3, 3, 0, 84, 2, 0, 0, 80]) + os.urandom(80))
        elif kind == 7:
            # No answer, until the client closes the connection.
            while connection.recv(4096):
                pass
    except OSError:
        pass
    connection.close()


def serve_hostile(listener):
    numbers = iter(range(1 << 62))
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=misbehave, args=(connection, next(numbers)), daemon=True).start()


def start_nginx(port):
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(f"""
            daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
            worker_rlimit_nofile 8192;
            events {{ worker_connections 4096; }}
            http {{
                access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
                server {{
                    listen 0.0.0.0:{port} ssl backlog=4096; ssl_protocols TLSv1.2 TLSv1.3;
                    ssl_certificate {folder}/pki/leaf.chain.pem; ssl_certificate_key {folder}/pki/leaf.key;
                    return 204;
                }}
            }}""")
    return subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/nginx.conf"], **quiet)


def write_list(number, ports):
    chance = random.Random(number)
    path = f"{folder}/hosts-{number}"
    with open(path, "w") as file:
        for n in range(number):
            address = f"127.{1 + n // 62500}.{n // 250 % 250}.{1 + n % 250}"
            file.write(f"{address}:{chance.choice(ports)}\n")
    return path


def arguments(path):
    return ["fetch", "--from", path, "-k", "-f", "ndjson", "-j", str(jobs), "--threads", "2", "--timeout", "0.5", "--retries", "1"]


def run(number, ports):
    """Returns the outcomes, the maximum number of descriptors and the maximum memory in MB."""
    path = write_list(number, ports)
    process = subprocess.Popen(
        [pinctl, *arguments(path)], stdin=subprocess.DEVNULL, stdout=open(f"{folder}/out", "wb"), stderr=subprocess.DEVNULL
    )
    most = 0
    while process.poll() is None:
        try:
            most = max(most, len(os.listdir(f"/proc/{process.pid}/fd")))
        except OSError:
            pass
        time.sleep(0.02)
    outcomes = collections.Counter()
    targets = set()
    for line in open(f"{folder}/out"):
        host = json.loads(line)
        targets.add(host["target"])
        outcomes[host["error"]["code"] if host["error"] else "chain"] += 1
    if len(targets) != number or sum(outcomes.values()) != number:
        fail(f"{sum(outcomes.values())} results for {number} hosts ({len(targets)} different targets)")
    result = subprocess.run([f"{folder}/once", pinctl, *arguments(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return outcomes, most, int(result.stderr.split()[-1]) / 1024


listener = socket.socket()
listener.bind(("0.0.0.0", 0))
listener.listen(4096)
# The servers run in a separate process, so that their threads do not delay the measurement.
child = os.fork()
if child == 0:
    serve_hostile(listener)
good, closed = free_port(), free_port()
server = start_nginx(good)
try:
    time.sleep(0.5)
    ports = [good, good, good, listener.getsockname()[1], closed]
    few = run(max(200, count // 10), ports)
    many = run(count, ports)
    for name, (outcomes, most, memory) in [("a tenth of them", few), (f"{count} hosts", many)]:
        print(f"{name}: {dict(outcomes)}, {most} descriptors, {memory:.1f} MB", flush=True)
    if many[1] > jobs + 40:
        fail(f"{many[1]} descriptors were open at the same time, with {jobs} jobs")
    if many[2] > few[2] * 1.15 + 2:
        fail("memory grows with the number of hosts")
    path = write_list(300, ports)
    check = subprocess.run(
        ["valgrind", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite", pinctl, *arguments(path)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )
    summary = [line for line in check.stderr.splitlines() if "lost:" in line or "ERROR SUMMARY" in line]
    print("\n".join(summary), flush=True)
    if check.returncode == 99:
        sys.stderr.write(check.stderr)
        fail("valgrind reports errors")
    print("soak: ok")
finally:
    server.send_signal(signal.SIGTERM)
    server.wait()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
