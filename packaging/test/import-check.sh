#!/bin/sh
# Starts the image's entry point with a database of File Browser, and waits until it is ready.
set -eu
/entrypoint.sh > /database/output 2>&1 &
server=$!
/entrypoint.sh healthcheck --wait 60 || { cat /database/output; exit 1; }
kill "$server"
wait "$server"
