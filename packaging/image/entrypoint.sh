#!/bin/sh
# Starts Filestead in a container. As root it changes the owner of /database and /config (never /srv) to PUID:PGID and drops all capabilities; as another
# user it changes nothing.
set -eu

fail() {
  printf 'filestead: %s\n' "$1" >&2
  exit 64
}

case ${PUID:=1000} in '' | *[!0-9]*) fail "PUID: “$PUID” is not a user id, such as 1000" ;; esac
case ${PGID:=1000} in '' | *[!0-9]*) fail "PGID: “$PGID” is not a group id, such as 1000" ;; esac
case ${UMASK:=022} in
  [0-7][0-7][0-7] | 0[0-7][0-7][0-7]) ;;
  *) fail "UMASK: “$UMASK” is not three octal digits such as 022" ;;
esac
umask "$UMASK"

if [ -d /database/filestead.db ]; then
  fail '/database/filestead.db is a folder: Docker creates one for a missing file. Mount the folder, as in “./database:/database”, and remove the folder filestead.db'
fi
if [ -e /database ] && [ ! -d /database ]; then
  fail '/database is a file: mount a folder there, as in “./database:/database”'
fi

if [ "$(id -u)" = 0 ] && [ "$PUID" = 0 ]; then
  printf 'filestead: PUID=0: the server runs as root, and the files that it creates belong to root\n' >&2
elif [ "$(id -u)" = 0 ]; then
  for folder in /database /config; do
    if [ -d "$folder" ] && [ "$(stat -c %u:%g "$folder")" != "$PUID:$PGID" ]; then
      chown -R "$PUID:$PGID" "$folder" ||
        printf 'filestead: the owner of %s cannot be changed to %s:%s\n' "$folder" "$PUID" "$PGID" >&2
    fi
  done
  # Runs this script again as that user.
  exec /usr/bin/setpriv --reuid "$PUID" --regid "$PGID" --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs "$0" "$@"
fi

# Variables of File Browser are used where ours are not set.
export FILESTEAD_ROOT="${FILESTEAD_ROOT:-${FB_ROOT:-/srv}}"
export FILESTEAD_DATA="${FILESTEAD_DATA:-/database}"
export FILESTEAD_DATABASE="${FILESTEAD_DATABASE:-/database/filestead.db}"
export FILESTEAD_ADDRESS="${FILESTEAD_ADDRESS:-${FB_ADDRESS:-0.0.0.0}}"
export FILESTEAD_PORT="${FILESTEAD_PORT:-${FB_PORT:-80}}"
export HOME=/database
# With a command, such as healthcheck, no server is started.
case ${1-} in
  '' | -*) starts_server=1 ;;
  *) starts_server= ;;
esac
if [ -f /config/filestead.yaml ] && { [ -n "$starts_server" ] || [ "$1" = healthcheck ]; }; then
  set -- "$@" --config /config/filestead.yaml
fi

# The database of File Browser, at the paths of its volumes and its older compose files.
former=
for file in "${FB_DATABASE:-}" /database/filebrowser.db /database.db; do
  if [ -z "$former" ] && [ -f "$file" ]; then former=$file; fi
done
if [ -n "$starts_server" ] && [ -n "$former" ] && [ ! -e "$FILESTEAD_DATABASE" ]; then
  import="import-filebrowser $former --report /database/import-report.json"
  case ${FILESTEAD_IMPORT:-} in
    yes)
      # shellcheck disable=SC2086
      /usr/lib/filestead/filestead $import --dryRun && /usr/lib/filestead/filestead $import || fail "$former was not imported"
      ;;
    no) ;;
    *)
      fail "$former is a database of File Browser. Set FILESTEAD_IMPORT=yes to import its users, settings and links at the next start ($import), or FILESTEAD_IMPORT=no to start with an empty database; the file itself is never changed"
      ;;
  esac
fi

exec /usr/lib/filestead/filestead "$@"
