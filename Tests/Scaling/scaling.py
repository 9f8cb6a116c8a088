"""Runs one list of loopback hosts in one process, in shards, with GNU parallel, with the command of the Kubernetes job and on a Spark
cluster of several worker processes on this machine, and requires the same results from all methods.

Usage: scaling.py FOLDER PINCTL HOSTS [METHOD...]   (FOLDER contains the test PKI; the methods: shards parallel kubernetes spark)
"""
import glob
import os
import re
import shlex
import socket
import subprocess
import sys
import time

folder, pinctl, count = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])
ways = sys.argv[4:] or ["shards", "parallel", "kubernetes", "spark"]
here = os.path.dirname(os.path.abspath(__file__))
jobs = os.path.join(here, "..", "..", "Scripts", "jobs")
hosts = os.path.join(folder, "hosts.txt")
options = ["--anchors", os.path.join(folder, "pki", "root.pem"), "--timeout", "20"]
TASKS = 4


def start_nginx():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in names)
    # Every address of 127.0.0.0/8 is this machine, so one server listens on all of them.
    with open(f"{folder}/nginx.conf", "w") as file:
        file.write(f"""
            daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
            events {{ worker_connections 8192; }}
            http {{
                access_log off; {temporary}
                server {{
                    listen 0.0.0.0:{port} ssl backlog=4096; ssl_protocols TLSv1.3; ssl_session_tickets off;
                    ssl_certificate {folder}/pki/leaf.chain.pem; ssl_certificate_key {folder}/pki/leaf.key;
                    return 204;
                }}
            }}""")
    server = subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/nginx.conf"], stderr=subprocess.DEVNULL)
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server, port
        time.sleep(0.1)
    server.terminate()
    sys.exit(f"scaling: nginx did not start; see {folder}/nginx.log")


def run(command, **more):
    """Runs pinctl. The statuses 1 and 3 are results, because the list contains hosts with certificates for other addresses."""
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True, **more)
    if result.returncode not in (0, 1, 3):
        sys.exit(f"scaling: {shlex.join(command)}: status {result.returncode}\n{result.stderr[-4000:]}")


def lines(pattern):
    found = []
    for path in sorted(glob.glob(pattern)):
        with open(path) as file:
            found += file.read().splitlines()
    return sorted(found)


def whole():
    with open(f"{folder}/whole.ndjson", "w") as file:
        run([pinctl, "fetch", "--from", hosts, "--format", "ndjson", *options], stdout=file)
    return f"{folder}/whole.ndjson"


def shards():
    for index in range(TASKS):
        with open(f"{folder}/shard-{index}.ndjson", "w") as file:
            run([pinctl, "fetch", "--from", hosts, "--shard", f"{index}/{TASKS}", "--format", "ndjson", *options],
                stdout=file)
    return f"{folder}/shard-*.ndjson"


def parallel():
    command = [pinctl, "fetch", "--from", "-", "--format", "ndjson", *options]
    with open(f"{folder}/parallel.ndjson", "w") as file:
        # The exit status of parallel is the number of jobs with a status other than 0, and 1 and 3 are results.
        subprocess.run(
            ["parallel", "--will-cite", "--pipepart", "-a", hosts, "--block", f"-{TASKS}", "-j", "2", shlex.join(command)],
            stdout=file, stderr=subprocess.DEVNULL)
    return f"{folder}/parallel.ndjson"


def kubernetes():
    """Runs the command of the manifest's container once for each index, with folders in place of the volumes."""
    import kubernetes_validate
    import yaml

    with open(f"{jobs}/kubernetes.yaml") as file:
        manifest = yaml.safe_load(file)
    kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)
    container = manifest["spec"]["template"]["spec"]["containers"][0]
    os.makedirs(f"{folder}/chains", exist_ok=True)
    (script,) = container["args"]
    script = script.replace("/hosts/", f"{folder}/").replace("/chains/", f"{folder}/chains/")
    script = re.sub(r"\bpinctl fetch\b", shlex.join([pinctl, "fetch", *options]), script, count=1)
    for index in range(manifest["spec"]["completions"]):
        environment = {variable["name"]: variable["value"] for variable in container["env"]}
        environment |= {"JOB_COMPLETION_INDEX": str(index), "PATH": os.environ["PATH"]}
        for _ in range(2):  # The second run is a restarted pod, which finds all results in the file.
            if subprocess.run([*container["command"], script], env=environment, stderr=subprocess.DEVNULL).returncode:
                sys.exit(f"scaling: the pod of index {index} failed")
    return f"{folder}/chains/*.ndjson"


def spark():
    environment = os.environ | {
        "PINCTL": pinctl, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "PARTITIONS": str(2 * TASKS)}
    result = subprocess.run(
        [
            os.path.join(os.path.dirname(sys.executable), "spark-submit"),
            "--master", f"local-cluster[{TASKS},1,512]", "--driver-memory", "512m", "--conf", "spark.executor.memory=512m",
            "--conf", "spark.ui.enabled=false", "--conf", "spark.driver.host=127.0.0.1",
            f"{jobs}/spark.py", hosts, f"{folder}/spark", *options,
        ],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
    if result.returncode:
        sys.exit("scaling: spark-submit failed\n" + result.stdout[-8000:])
    return f"{folder}/spark/part-*"


def timed(way):
    started = time.monotonic()
    found = lines(way())
    return found, time.monotonic() - started


server, port = start_nginx()
try:
    with open(hosts, "w") as file:
        for number in range(count):
            file.write(f"127.{1 + number // 62500}.{number // 250 % 250}.{1 + number % 250}:{port}\n")
    expected, seconds = timed(whole)
    if len(expected) != count or len(set(expected)) != count:
        sys.exit(f"scaling: {len(set(expected))} results for {count} hosts")
    print(f"one process      {count} hosts in {seconds:.1f} s", flush=True)
    failed = False
    for way in ways:
        found, seconds = timed(globals()[way])
        same = found == expected
        failed |= not same
        print(f"{way:<15}  {len(found)} results in {seconds:.1f} s, {'equal' if same else 'DIFFERENT'}", flush=True)
    sys.exit("scaling: the results differ" if failed else 0)
finally:
    server.terminate()
    server.wait()
