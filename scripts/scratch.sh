#!/usr/bin/env bash
# Prints the folder for what tests write and throw away: in memory where 4 GiB are free and programs may run there, else TMPDIR or
# /tmp. To make the files of a database in memory costs a seventh of what it costs on a disk, and the tests make hundreds.
set -euo pipefail

memory=/dev/shm
free=$(df --output=avail --block-size=1G "$memory" 2>/dev/null | tail -n 1 || echo 0)
available=$(awk '/^MemAvailable:/ { print int($2 / 1024 / 1024) }' /proc/meminfo 2>/dev/null || echo 0)
if [ -w "$memory" ] && [ "${free:-0}" -ge 4 ] && [ "${available:-0}" -ge 6 ]; then
    probe=$(mktemp "$memory/workbench-probe.XXXXXX")
    trap 'rm -f "$probe"' EXIT
    printf '#!/bin/sh\n' >"$probe"
    chmod 700 "$probe"
    if "$probe" 2>/dev/null; then
        echo "$memory"
        exit 0
    fi
fi
echo "${TMPDIR:-/tmp}"
