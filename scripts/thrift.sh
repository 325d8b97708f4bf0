#!/bin/sh
# thrift.sh TOOL ARGUMENT…: how scripts/test.sh has the tools of the Go compiler run. They stand side by side and live a second each: with
# one thread, and garbage collected only where there is a gigabyte of it, they do up to a sixth less. The database engine is one large
# package that everything waits for, with the other processor idle: it has all of them.
case "${TOOLEXEC_IMPORTPATH:-}" in
modernc.org/*) ;;
*) export GOMAXPROCS=1 ;;
esac
export GOGC=off GOMEMLIMIT=1GiB
exec "$@"
