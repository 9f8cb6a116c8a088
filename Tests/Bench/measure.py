"""Measures pinctl against its references.

usage: measure.py FOLDER RELEASED STATIC [NAME...]

FOLDER contains the references (limit, hashlimit, goscan, delayserver) and the test PKI. Each value is the median of several runs. The
compared programs run alternately, and the ratio is the median of the ratios of adjacent runs. So a change of the machine's speed affects
both programs.
"""
import base64
import glob
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import ssl
import statistics
import struct
import subprocess
import sys
import time

folder, released, static = sys.argv[1:4]
names = sys.argv[4:] or ["start", "one", "anchors", "hash", "many", "list", "inventory", "set", "delay", "dead", "memory"]
pki = f"{folder}/pki"
quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def run(command, environment=None, stdin=None, statuses=(0,)):
    """Runs a command. Returns the elapsed seconds, the seconds of CPU time, and the maximum memory in MB."""
    with open(stdin or os.devnull) as source:
        result = subprocess.run(
            [f"{folder}/once", *command], env=environment, stdin=source, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True,
        )
    if result.returncode not in statuses:
        sys.exit(f"bench: {' '.join(command)[:120]}: exit status {result.returncode}")
    took, cpu, memory = result.stderr.split()[-3:]
    return float(took), float(cpu), int(memory) / 1024


def compare(title, wanted, figure, ours, others, runs, warms=False):
    """Prints the medians, and the ratio of pinctl to each reference.

    With warms, each command runs once before each measured run. This matters for commands that take milliseconds: otherwise a command
    profits from the processor caches if the previous command used the same libraries.
    """
    unit, scale = {0: ("ms", 1000), 1: ("s CPU", 1), 2: ("MB", 1)}[figure]
    results = {name: [] for name in [ours[0], *[other[0] for other in others]]}
    for _ in range(runs + 1):
        for name, call in [ours, *others]:
            if warms:
                call()
            results[name].append(call()[figure] * scale)
    results = {name: values[1:] if len(values) > 2 else values for name, values in results.items()}
    print(f"\n{title}  ({wanted})")
    for name, values in results.items():
        line = f"  {name:<34} {statistics.median(values):9.2f} {unit}"
        if name != ours[0]:
            ratios = [mine / theirs for mine, theirs in zip(results[ours[0]], values)]
            ratio = statistics.median(ratios)
            line += f"   pinctl takes {ratio:.2f} of it" + (f", {1 / ratio:.1f} times as fast" if ratio < 0.5 else "")
        print(line, flush=True)


def start_server(port):
    configuration = f"""
        daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
        worker_rlimit_nofile 20000;
        events {{ worker_connections 8192; }}
        http {{
            access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
            fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
            server {{
                listen 0.0.0.0:{port} ssl backlog=4096; ssl_protocols TLSv1.2 TLSv1.3; ssl_session_tickets off;
                ssl_certificate {pki}/leaf.chain.pem; ssl_certificate_key {pki}/leaf.key;
                return 204;
            }}
        }}"""
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(configuration)
    return subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/nginx.conf"], **quiet)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit("bench: nginx did not start; see the logs in " + folder)


def system_store():
    """Copies the system's trust store and adds the test root, as a bundle and as a hashed folder."""
    bundle, certificates = f"{folder}/bundle.pem", f"{folder}/certificates"
    os.makedirs(certificates)
    default = ssl.get_default_verify_paths()
    source = next((path for path in ["/etc/ssl/certs/ca-certificates.crt", default.openssl_cafile] if os.path.exists(path)), None)
    if source is None:
        sys.exit("bench: this system has no CA bundle to copy")
    with open(bundle, "w") as file:
        for path in [source, f"{pki}/root.pem"]:
            file.write(open(path).read())
    blocks = open(bundle).read().split("-----END CERTIFICATE-----\n")[:-1]
    for index, block in enumerate(blocks):
        with open(f"{certificates}/{index:03}.pem", "w") as file:
            file.write(block[block.index("-----BEGIN") :] + "-----END CERTIFICATE-----\n")
    subprocess.run(["openssl", "rehash", certificates], check=True, **quiet)
    return {**os.environ, "SSL_CERT_FILE": bundle, "SSL_CERT_DIR": certificates, "CURL_CA_BUNDLE": bundle}


def measure_start(port):
    compare(
        "start: --version", "at most 0.8 of openssl version", 0,
        ("pinctl, released", lambda: run([released, "--version"])),
        [("openssl version", lambda: run(["openssl", "version"]))], 60, warms=True,
    )
    count_work([("pinctl, released", [released, "--version"]), ("openssl version", ["openssl", "version"])])


def measure_one(port):
    environment = system_store()
    address = f"127.0.0.1:{port}"
    client = ["openssl", "s_client", "-verify_return_error", "-connect", address]
    others = [
        ("openssl s_client", lambda: run(client, environment)),
        ("curl", lambda: run(["curl", "-s", f"https://{address}"], environment)),
    ]
    for name, tool in [("pinctl, static", static), ("pinctl, released", released)]:
        compare(
            "one host, system trust store", "5 times as fast as either", 0,
            (name, lambda: run([tool, "fetch", address, "-f", "pin"], environment)), others, 40, warms=True,
        )


def measure_anchors(port):
    address, root = f"127.0.0.1:{port}", f"{pki}/root.pem"
    client = ["openssl", "s_client", "-verify_return_error", "-CAfile", root, "-connect", address]
    options = ["fetch", address, "-f", "pin", "--anchors", root]
    for name, tool, goal in [("pinctl, static", static, "0.85"), ("pinctl, released", released, "1.0")]:
        compare(
            "one host, --anchors of one root", f"at most {goal} of s_client", 0,
            (name, lambda: run([tool, *options])), [("openssl s_client -CAfile", lambda: run(client))], 60, warms=True,
        )
    count_work([
        ("pinctl, static", [static, *options]), ("pinctl, released", [released, *options]),
        ("openssl s_client -CAfile", client),
    ])  # fmt: skip


def addresses(count):
    """Returns this number of loopback addresses. All of 127.0.0.0/8 is this machine."""
    return [f"127.{1 + n // 62500}.{n // 250 % 250}.{1 + n % 250}" for n in range(count)]


def write_lists(port, count):
    hosts = addresses(count)
    with open(f"{folder}/addresses", "w") as file:
        file.writelines(f"{host}\n" for host in hosts)
    with open(f"{folder}/targets", "w") as file:
        file.writelines(f"{host}:{port}\n" for host in hosts)


def fetch_list(*arguments, list="targets", form="ndjson", succeeds=True):
    command = [released, "fetch", "--from", f"{folder}/{list}", "--format", form, *arguments]
    return run(command, statuses=(0,) if succeeds else (3,))


def measure_list(port):
    write_lists(port, 20000)
    one = ("pinctl, one thread", lambda: fetch_list("-k", "-j", "64", "--threads", "1"))
    reference = ("limit.c", lambda: limit(port, 64))
    compare("20,000 hosts, --insecure, ndjson: CPU", "at most 0.65 of limit.c's", 1, one, [reference], 3)
    compare(
        "20,000 hosts on two threads: CPU", "not above one thread's", 1,
        ("pinctl, two threads", lambda: fetch_list("-k", "-j", "64", "--threads", "2")), [one], 3,
    )
    validated = ["--anchors", f"{pki}/root.pem", "--servername", "localhost", "-j", "64", "--threads", "1"]
    compare(
        "20,000 hosts, validated: CPU", "at most 0.85 of limit.c's", 1,
        ("pinctl, one thread", lambda: fetch_list(*validated)), [reference], 3,
    )
    compare(
        "20,000 hosts on all processors: on the clock", "no slower than goscan", 0,
        ("pinctl, released", lambda: fetch_list("-k", "-j", "64")),
        [("goscan", lambda: run([f"{folder}/goscan", "64", str(port)], stdin=f"{folder}/addresses"))], 3,
    )


def measure_inventory(port):
    """Measures handshakes that end at the certificate message."""
    write_lists(port, 20000)
    options = ["-k", "-j", "64", "--threads", "1"]
    short = ("pinctl, certificate only", lambda: fetch_list("--certificate-only", *options))
    compare(
        "20,000 hosts, --certificate-only, ndjson: CPU", "at most 0.25 of goscan's", 1, short,
        [
            ("goscan", lambda: run([f"{folder}/goscan", "64", str(port)], stdin=f"{folder}/addresses")),
            ("pinctl, complete handshake", lambda: fetch_list(*options)),
        ], 3,
    )  # fmt: skip
    validated = ["--certificate-only", "--anchors", f"{pki}/root.pem", "--servername", "localhost", "-j", "64", "--threads", "1"]
    compare(
        "20,000 hosts, --certificate-only, validated: CPU", "no more than without", 1,
        ("pinctl, validated", lambda: fetch_list(*validated)), [short], 3,
    )
    if not shutil.which("valgrind"):
        print("  (instructions are not counted: valgrind is not installed)")
        return
    print("\ninstructions for each host, by callgrind")
    for name, more in [("pinctl, certificate only", ["--certificate-only"]), ("pinctl, complete handshake", [])]:
        counts = []
        for count in (200, 600):
            write_lists(port, count)
            counts.append(instructions([released, "fetch", "--from", f"{folder}/targets", "-f", "ndjson", *options, *more]))
        print(f"  {name:<34} {(counts[1] - counts[0]) / 400 / 1000:9.0f} thousand", flush=True)


def measure_set(port):
    """Measures a pin set of many hosts, which all have the name of the wildcard in the test certificate."""
    names = [f"host-{index}.example.test" for index in range(100_000)]
    der = subprocess.run(["openssl", "x509", "-in", f"{pki}/leaf.pem", "-pubkey", "-noout"], check=True, capture_output=True).stdout
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=der, check=True, capture_output=True).stdout
    pin = base64.b64encode(hashlib.sha256(der).digest()).decode()
    with open(f"{folder}/set.json", "w") as file:
        json.dump({"version": 1, "hosts": {name: {"pins": [pin]} for name in names}}, file)
    with open(f"{folder}/names", "w") as file:
        file.writelines(f"{name}\n" for name in names)
    command = [
        released, "verify", "--pins", f"{folder}/set.json", "--anchors", f"{pki}/root.pem", "--connect-to", f"127.0.0.1:{port}",
        "--jobs", "64", "--format", "ndjson",
    ]  # fmt: skip
    compare(
        "verify of a set of 100,000 hosts: CPU", "at most 1.2 of the same hosts by --from", 1,
        ("pinctl, the whole set", lambda: run(command)), [("pinctl, --from", lambda: run([*command, "--from", f"{folder}/names"]))], 1,
    )


def count_work(commands):
    """Prints the page faults and the instructions of commands, which do not depend on the load of the machine."""
    for name, command in commands:
        pid = os.posix_spawnp(
            command[0], command, os.environ,
            file_actions=[(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)],
        )  # fmt: skip
        faults = os.wait4(pid, 0)[2].ru_minflt
        line = f"  {name:<34} {faults:9,d} page faults"
        if shutil.which("valgrind"):
            line += f", {instructions(command) / 1e6:.1f} million instructions"
        print(line, flush=True)


def instructions(command):
    """Returns the number of instructions of a command, which does not depend on the load of the machine."""
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind", *command],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True,
    )
    return int(next(line for line in result.stderr.splitlines() if "refs:" in line).split()[-1].replace(",", ""))


def measure_delay(port):
    """Measures distant hosts, of which a thousand wait at the same time."""
    far = free_port()
    server = subprocess.Popen([f"{folder}/delayserver", f"0.0.0.0:{far}", "100ms", f"{pki}/leaf.chain.pem", f"{pki}/leaf.key"], **quiet)
    try:
        wait_for(far)
        write_lists(far, 20000)
        ideal = 20000 / 1000 * 0.1
        bounds = []

        def fetch_and_bound():
            before = used_seconds(server.pid)
            result = fetch_list("-k", "-j", "1000")
            # The server runs on the same processors.
            bounds.append(max(ideal, (result[1] + used_seconds(server.pid) - before) / os.cpu_count()))
            return result

        compare(
            "20,000 hosts 100 ms away, 1,000 jobs: on the clock",
            f"at most 1.1 of the CPU time of client and server over the processors, or of the delays ({ideal * 1000:.0f} ms)", 0,
            ("pinctl, released", fetch_and_bound),
            [("CPU time over the processors", lambda: (bounds[-1], None, None)), ("limit.c, one thread", lambda: limit(far, 1000))], 2,
        )  # fmt: skip
    finally:
        server.terminate()
        server.wait()


def used_seconds(pid):
    """Returns the CPU time that a process has used (proc(5))."""
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_dead(port):
    """Measures a list in which one third of the hosts are silent, refuse or reset. The other hosts must not wait for them."""
    living = [f"{host}:{port}\n" for host in addresses(5000)]
    with socket.socket() as silent, socket.socket() as resetting:
        for listener in (silent, resetting):
            listener.bind(("0.0.0.0", 0))
            listener.listen(4096)
        child = os.fork()
        if child == 0:
            silent.close()
            while True:
                connection, _ = resetting.accept()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
        ports = [silent.getsockname()[1], resetting.getsockname()[1], free_port()]
        chance = random.Random(3)
        mixed = [
            line if chance.random() < 2 / 3 else f"{line.split(':')[0]}:{chance.choice(ports)}\n" for line in living
        ]
        with open(f"{folder}/mixed", "w") as file:
            file.writelines(mixed)
        with open(f"{folder}/living", "w") as file:
            file.writelines(line for line in mixed if line.endswith(f":{port}\n"))
        limit_of_time = 5.0
        options = ["-k", "-j", "1000", "--timeout", str(limit_of_time)]

        def plus_timeout(result):
            return (result[0] + limit_of_time, *result[1:])

        compare(
            "5,000 hosts, a third of them dead: on the clock", "at most 1.2 of the living alone and one time-out", 0,
            ("pinctl, released", lambda: fetch_list(*options, list="mixed", succeeds=False)),
            [("the living and a time-out", lambda: plus_timeout(fetch_list(*options, list="living")))], 3,
        )
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def fetch_many(jobs):
    return run([released, "fetch", "--from", f"{folder}/targets", "--jobs", str(jobs), "--insecure", "-f", "pin"])


def limit(port, jobs):
    return run([f"{folder}/limit", str(jobs), str(port)], stdin=f"{folder}/addresses")


def measure_many(port):
    write_lists(port, 5000)
    compare(
        "5,000 hosts, --insecure, 64 jobs", "at most 1.25 of limit.c's", 1,
        ("pinctl, released", lambda: fetch_many(64)), [("limit.c", lambda: limit(port, 64))], 5,
    )


def measure_memory(port):
    cases = [(1000, 64), (5000, 64), (10000, 64), (5000, 1000)]
    for count, jobs in cases:
        write_lists(port, count)
        wanted = "no growth with the number of hosts" if jobs == 64 else "at most 0.65 of limit.c's"
        compare(
            f"memory, {count:,} hosts, {jobs:,} jobs", wanted, 2,
            ("pinctl, released", lambda: fetch_many(jobs)), [("limit.c", lambda: limit(port, jobs))], 1,
        )

    closed = free_port()

    def refused(count):
        with open(f"{folder}/refused", "w") as file:
            file.writelines(f"127.{1 + n // 62500}.{n // 250 % 250}.{1 + n % 250}:{closed}\n" for n in range(count))
        return fetch_list("-j", "64", list="refused", succeeds=False)

    compare(
        "memory, 1,000,000 hosts that refuse at once", "flat", 2,
        ("pinctl, 1,000,000 hosts", lambda: refused(1_000_000)), [("pinctl, 10,000 hosts", lambda: refused(10_000))], 1,
    )


def measure_hash(port):
    paths = glob.glob("/usr/share/ca-certificates/mozilla/*.crt") or [f"{pki}/root.pem"]
    certificates = [ssl.PEM_cert_to_DER_cert(open(path).read()) for path in sorted(paths)]
    os.makedirs(f"{folder}/ders")
    files = [f"{folder}/ders/{index:04}.der" for index in range(9000)]
    for index, path in enumerate(files):
        with open(path, "wb") as file:
            file.write(certificates[index % len(certificates)])
    with open(f"{folder}/files", "w") as file:
        file.writelines(f"{path}\n" for path in files)
    compare(
        "9,000 DER certificates in one call", "3 times as fast as hashlimit.c, and not slower than sha256sum", 1,
        ("pinctl, released", lambda: run([released, "hash", *files])),
        [
            ("hashlimit.c", lambda: run([f"{folder}/hashlimit"], stdin=f"{folder}/files")),
            ("sha256sum", lambda: run(["sha256sum", *files])),
        ], 7,
    )  # fmt: skip


port = free_port()
server = start_server(port)
try:
    wait_for(port)
    print(f"{os.cpu_count()} processors, {subprocess.check_output(['openssl', 'version'], text=True).strip()}")
    for name in names:
        measure = globals().get(f"measure_{name}")
        if measure is None:
            sys.exit(f"bench: unknown measurement \"{name}\"")
        measure(port)
finally:
    server.send_signal(signal.SIGTERM)
    server.wait()
    shutil.rmtree(f"{folder}/ders", ignore_errors=True)
