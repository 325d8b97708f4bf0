#!/usr/bin/env bash
# Runs a command with a PostgreSQL in PATH that has the pgvector extension, for the tests of retrieve.engine: pgvector:
#
#   scripts/with-pgvector.sh scripts/with-postgres.sh go test ./internal/pgvector
#
# Where the installed server has the extension, or WORKBENCH_TEST_POSTGRES names one, the command runs as it is. Otherwise the
# extension is built once, from the sources that Debian has of it, into a copy of the server programs that stands apart: nothing is
# installed, and root is not needed. WORKBENCH_PGVECTOR_SOURCE is a folder with sources to build instead. Where it cannot be built
# the reason is printed, the command runs all the same, and its pgvector tests are skipped. The exit code is the command's.
set -euo pipefail

if [ "$#" -eq 0 ]; then
    echo "usage: $0 COMMAND [ARGUMENT…]" >&2
    exit 2
fi

version=0.8.0
digest=867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0

# skip REASON: the command runs without the extension.
skip() {
    echo "pgvector: $1; its tests will be skipped" >&2
    exec "${command[@]}"
}

command=("$@")
if [ -n "${WORKBENCH_TEST_POSTGRES:-}" ]; then
    exec "$@"
fi
bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort --version-sort | tail -1)
[ -x "$bin/postgres" ] || skip 'no server programs in /usr/lib/postgresql'
major=$(basename "$(dirname "$bin")")
share=/usr/share/postgresql/$major
if [ -e "$share/extension/vector.control" ]; then
    exec "$@"
fi

# The copy is read by the user that runs the server; nobody else may have made it.
home=${WORKBENCH_PGVECTOR_HOME:-/var/tmp/workbench-pgvector-$(id -u)-$major-$version}
if [ -e "$home" ] && [ ! -O "$home" ]; then
    skip "$home belongs to somebody else"
fi

# headers DIRECTORY: prints where the server's headers are, taken from the package without installing it when they are not there.
headers() {
    local found=/usr/include/postgresql/$major/server
    if [ ! -e "$found/postgres.h" ]; then
        (cd "$1" && apt-get download -qq "postgresql-server-dev-$major" && dpkg-deb -x postgresql-server-dev-*.deb dev) >"$1/log" 2>&1 ||
            return 1
        found=$1/dev$found
    fi
    [ -e "$found/postgres.h" ] && echo "$found"
}

# sources DIRECTORY: prints where the sources are, those of Debian's mirror that apt uses when no folder is named.
sources() {
    local mirror
    if [ -n "${WORKBENCH_PGVECTOR_SOURCE:-}" ]; then
        echo "$WORKBENCH_PGVECTOR_SOURCE"
        return
    fi
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep -v security | head -1)
    [ -n "$mirror" ] || return 1
    curl -fsSL --max-time 60 -o "$1/source.tar.gz" "${mirror%/}/pool/main/p/pgvector/pgvector_$version.orig.tar.gz" || return 1
    echo "$digest  $1/source.tar.gz" | sha256sum --check --quiet >&2 || return 1
    tar -xzf "$1/source.tar.gz" -C "$1" && echo "$1/pgvector-$version"
}

build() {
    local work include source lib
    work=$(mktemp -d)
    trap 'rm -rf "$work"' RETURN
    command -v gcc >/dev/null || { echo 'no C compiler' && return 1; }
    include=$(headers "$work") || { echo "no headers of PostgreSQL $major" && return 1; }
    source=$(sources "$work") || { echo 'no sources' && return 1; }
    (cd "$source/src" && printf '%s\n' *.c | xargs -P "$(nproc)" -I{} gcc -O2 -ftree-vectorize -fassociative-math -fno-signed-zeros \
        -fno-trapping-math -fno-strict-aliasing -fwrapv -fPIC -w -I"$include" -I. -c {} -o "$work/{}.o") >"$work/log" 2>&1 &&
        gcc -shared -o "$work/vector.so" "$work"/*.o || { echo 'its sources do not compile' && return 1; }
    # A server looks for its parts beside its program: the programs are copied, and what they read is linked.
    rm -rf "$home.new"
    lib=$home.new/usr/lib/postgresql/$major
    mkdir -p "$lib/lib" "$home.new$share/extension"
    cp -r "$bin" "$lib/bin"
    ln -s "${bin%/bin}"/lib/* "$lib/lib/"
    ln -s "$share"/* "$home.new$share/" 2>/dev/null || true # extension is a folder of ours
    ln -s "$share"/extension/* "$home.new$share/extension/"
    cp "$work/vector.so" "$lib/lib/"
    cp "$source"/vector.control "$home.new$share/extension/"
    cp "$source/sql/vector.sql" "$home.new$share/extension/vector--$(sed -n "s/^default_version = '\(.*\)'/\1/p" "$source/vector.control").sql"
    chmod -R a+rX "$home.new"
    rm -rf "$home"
    mv "$home.new" "$home"
}

if [ ! -e "$home/usr/lib/postgresql/$major/lib/vector.so" ]; then
    reason=$(build) || skip "$reason"
fi
export PATH=$home/usr/lib/postgresql/$major/bin:$PATH
exec "$@"
