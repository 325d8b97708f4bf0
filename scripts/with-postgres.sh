#!/usr/bin/env bash
# Runs a command with a PostgreSQL server for the tests:
#
#   scripts/with-postgres.sh go test ./...
#
# WORKBENCH_TEST_POSTGRES, the URL of a database whose user may create databases, is used as it is when it is set.
# Otherwise a throw-away cluster is started from the server programs found in PATH, by pg_config or in
# /usr/lib/postgresql, and removed afterwards. Without server programs the command runs alone and its PostgreSQL tests are
# skipped. The exit code is the command's.
set -euo pipefail

if [ "$#" -eq 0 ]; then
    echo "usage: $0 COMMAND [ARGUMENT…]" >&2
    exit 2
fi

if [ -n "${WORKBENCH_TEST_POSTGRES:-}" ]; then
    exec "$@"
fi

# has_server DIRECTORY: all three server programs are there.
has_server() {
    [ -x "$1/postgres" ] && [ -x "$1/initdb" ] && [ -x "$1/pg_ctl" ]
}

# find_server prints the directory of the server programs.
find_server() {
    local found dir
    if found=$(command -v postgres) && has_server "$(dirname "$found")"; then
        dirname "$found"
        return 0
    fi
    if command -v pg_config >/dev/null && dir=$(pg_config --bindir) && has_server "$dir"; then
        echo "$dir"
        return 0
    fi
    while IFS= read -r dir; do
        if has_server "$dir"; then
            echo "$dir"
            return 0
        fi
    done < <(printf '%s\n' /usr/lib/postgresql/*/bin | sort --version-sort --reverse)
    return 1
}

if ! bin=$(find_server); then
    echo "PostgreSQL: none found; its tests will be skipped (install a PostgreSQL server, or set WORKBENCH_TEST_POSTGRES to a database URL)" >&2
    exec "$@"
fi

# The server refuses to run as root: an unprivileged user that is there anyway runs it then.
as=()
if [ "$(id -u)" -eq 0 ]; then
    for user in postgres nobody; do
        if id "$user" >/dev/null 2>&1; then
            as=(runuser -u "$user" --)
            break
        fi
    done
    if [ "${#as[@]}" -eq 0 ] || ! command -v runuser >/dev/null; then
        echo "PostgreSQL: the server refuses to run as root, and there is no other user to run it; its tests will be skipped (run this as another user, or set WORKBENCH_TEST_POSTGRES to a database URL)" >&2
        exec "$@"
    fi
fi

# The path of a socket may have about 100 characters, so the directory cannot be anywhere, and the server's user has to get there.
parent=$("$(dirname "$0")/scratch.sh")
if [ "${#parent}" -gt 60 ] || ! ${as[@]+"${as[@]}"} test -w "$parent"; then
    parent=/tmp
fi
dir=$(mktemp -d "$parent/workbench-postgres.XXXXXX")

# server COMMAND…: runs one of the server's programs as its user, where that user may be.
server() {
    (cd "$dir" && LC_ALL=C ${as[@]+"${as[@]}"} "$@")
}

clean_up() {
    if [ -f "$dir/data/postmaster.pid" ]; then
        server "$bin/pg_ctl" stop --pgdata="$dir/data" --mode=immediate --silent >/dev/null 2>&1 || true
    fi
    rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

if [ "${#as[@]}" -gt 0 ]; then
    chown "$user" "$dir"
fi
if ! server "$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust --encoding=UTF8 --no-sync >"$dir/initdb.log" 2>&1; then
    cat "$dir/initdb.log" >&2
    exit 1
fi

# start PORT: the server listens on this port and in the temporary directory. Nothing in it outlives the tests, so it need
# not survive a power cut, nor be tidied; its time zone is not UTC, so that a test sees when a time depends on it.
start() {
    server "$bin/pg_ctl" start --pgdata="$dir/data" --wait --silent --log="$dir/server.log" --options="\
        -c listen_addresses=127.0.0.1 -c port=$1 -c unix_socket_directories=$dir -c max_connections=200 \
        -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off -c jit=off \
        -c timezone=Asia/Tokyo" >/dev/null 2>&1
}

port=
for _ in 1 2 3 4 5 6 7 8 9 10; do
    candidate=$((20000 + RANDOM % 20000))
    if (exec 3<>"/dev/tcp/127.0.0.1/$candidate") 2>/dev/null; then
        continue # somebody listens there
    fi
    if start "$candidate"; then
        port=$candidate
        break
    fi
done
if [ -z "$port" ]; then
    echo "PostgreSQL: the server in $bin did not start:" >&2
    cat "$dir/server.log" >&2 || true
    exit 1
fi

export WORKBENCH_TEST_POSTGRES="postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable"
export WORKBENCH_TEST_POSTGRES_THROWAWAY=1
status=0
"$@" || status=$?
exit "$status"
