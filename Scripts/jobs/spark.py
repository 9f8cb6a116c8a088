#!/usr/bin/env python3
"""Fetches the chains of a list of hosts on an Apache Spark cluster: one line of JSON a host.

    spark-submit spark.py hosts.txt chains/ --timeout 5 --jobs 500

The list is anything that Spark reads as text, one host a line as `pinctl fetch --from` takes them; the result is a folder
of text files, as Spark writes them. What follows the two is for pinctl. The executors need pinctl on their PATH, or
PINCTL=/path/to/pinctl in this program's environment.

A host that gives no chain is a line with an error, and no failure of the job. What fails the job is a request that pinctl
cannot carry out (exit status 2).
"""
import os
import shlex
import sys

from pyspark.sql import SparkSession

# One process a partition. Spark's own check takes every status but 0 for a failure, and 1 and 3 are answers. A partition may
# be empty, which pinctl would take for a mistake.
PIPE = """
IFS= read -r first || [ -n "$first" ] || exit 0
{ printf '%s\\n' "$first"; cat; } | "$@"
status=$?
case $status in 0 | 1 | 3) exit 0 ;; *) exit $status ;; esac
"""


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__.strip())
    hosts, output, *options = arguments
    command = [os.environ.get("PINCTL", "pinctl"), "fetch", "--from", "-", "--format", "ndjson", *options]
    spark = SparkSession.builder.appName("pinctl fetch").getOrCreate()
    context = spark.sparkContext
    # Several partitions a core, for a partition of dead hosts takes longer than the others. They are mixed, so that the hosts
    # of one network, which stand side by side in most lists, are not asked by one machine alone.
    partitions = int(os.environ.get("PARTITIONS", context.defaultParallelism * 4))
    lines = context.textFile(hosts).repartition(partitions)
    lines.pipe(shlex.join(["sh", "-c", PIPE, "sh", *command]), checkCode=True).saveAsTextFile(output)
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
