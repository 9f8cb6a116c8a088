#!/usr/bin/env python3
"""Fetches the chains of a list of hosts on an Apache Spark cluster, and writes one line of JSON for each host.

    spark-submit spark.py hosts.txt chains/ --timeout 5 --jobs 500

The first argument is a text source that Spark can read, with one host on each line, as `pinctl fetch --from` reads it. The second
argument is the folder for the result, which Spark writes as text files. All other arguments are options for pinctl. The executors need
pinctl on PATH, or set PINCTL=/path/to/pinctl in the environment of this program.

A host without a chain gives a line with an error, and does not fail the job. The job fails if pinctl rejects the request (exit
status 2).
"""
import os
import shlex
import sys

from pyspark.sql import SparkSession

# Each partition runs one process. Spark treats every status except 0 as a failure, but 1 and 3 are results. A partition can be empty,
# which pinctl would report as a usage error.
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
    # Several partitions for each core, because a partition with dead hosts takes longer than the others. The hosts are shuffled, because
    # hosts of one network are adjacent in most lists and should not all be in one partition.
    partitions = int(os.environ.get("PARTITIONS", context.defaultParallelism * 4))
    lines = context.textFile(hosts).repartition(partitions)
    lines.pipe(shlex.join(["sh", "-c", PIPE, "sh", *command]), checkCode=True).saveAsTextFile(output)
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
