#!/bin/sh
# Runs in a minimal system without Node and network: starts the program at $1, signs in with its generated password, and runs
# all checks with the program's own Node ($2). $3 names the checks whose program is missing in this system.
set -eu
if command -v node > /dev/null; then
  echo 'this system has Node installed' >&2
  exit 1
fi
ln -s "$1" /tmp/filestead
mkdir /tmp/served
/tmp/filestead /tmp/served --data /tmp/data > /tmp/output 2>&1 &
server=$!
/tmp/filestead healthcheck --wait 60
printf 'READY\n'
"$2" /test/smoke.mjs http://127.0.0.1:8080/ "$(cat /tmp/data/initial-password)" "$3"
kill "$server"
wait "$server"
