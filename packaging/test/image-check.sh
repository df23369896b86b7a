#!/bin/sh
# Starts the image's entry point in the current root, runs the checks, and prints the user and capabilities of the server; see image.test.mjs.
# $1 names the checks whose program is missing; by default those of films.
set -eu
/entrypoint.sh > /database/output 2>&1 &
server=$!
/entrypoint.sh healthcheck --wait 30 || { cat /database/output; exit 1; }
/usr/lib/filestead/lib/node /test/smoke.mjs "http://127.0.0.1:$FILESTEAD_PORT/" "$(cat /database/initial-password)" "${1-film}"
grep -E '^(Uid|Gid|Groups|CapBnd|NoNewPrivs|CapEff):' "/proc/$server/status" | tr '\t' ' '
stat -c 'MODE %u:%g %a' /srv/docs/report.txt
kill "$server"
wait "$server" && echo STOPPED
