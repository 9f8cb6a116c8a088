"""Runs several commands in parallel and measures each: its exit status, elapsed time, processor time and peak memory.

Usage: measure.py WIDTH <COMMANDS

COMMANDS has one line of JSON for each command: an array of the program and its arguments. The output has one line of JSON for each
command, in the same order. This is a small separate process, because the peak memory of a process includes the memory of its parent.
"""
import concurrent.futures
import json
import os
import sys
import tempfile
import time

# In seconds. With a sanitizer, a run over all behaviours takes longer.
LIMIT = 60 if os.environ.get("PINCTL_TEST_SANITIZER") is None else 200


def measure(command):
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, output.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
        ]
        start = time.monotonic()
        identifier = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        status, usage = wait(identifier, start + LIMIT)
        seconds = time.monotonic() - start
        output.seek(0)
        errors.seek(0)
        return {
            "status": os.waitstatus_to_exitcode(status),
            "seconds": seconds,
            "processorSeconds": usage.ru_utime + usage.ru_stime,
            # The number of runnable processes for each processor. At most 1 means that the machine has little other work.
            "load": os.getloadavg()[0] / os.cpu_count(),
            # Bytes on macOS, kilobytes elsewhere (getrusage(2)).
            "memory": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            "output": output.read().decode("utf-8", "replace"),
            "errors": errors.read().decode("utf-8", "replace"),
        }


def wait(identifier, deadline):
    """Waits for a command. A command that is late is killed, and its status is -9."""
    pause = 0.0005
    while True:
        ended, status, usage = os.wait4(identifier, os.WNOHANG)
        if ended:
            return status, usage
        if time.monotonic() > deadline:
            os.kill(identifier, 9)
            deadline += LIMIT
        time.sleep(pause)
        pause = min(pause * 1.25, 0.01)


def main(width):
    commands = [json.loads(line) for line in sys.stdin]
    with concurrent.futures.ThreadPoolExecutor(width) as pool:
        for result in pool.map(measure, commands):
            print(json.dumps(result))


if __name__ == "__main__":
    main(int(sys.argv[1]))
