#!/bin/sh
# Creates a minimal Debian of a release with the given additional packages, once a week, and prints its folder.
# fresh-chroot.sh CACHE RELEASE VARIANT NAME [PACKAGE…]; needs root and mmdebstrap.
set -eu
cache=$1
release=$2
variant=$3
name=$4
shift 4
root=$cache/$name-$(date +%G-%V)
# Another run of the tests waits, and then uses the same one.
exec 9> "$cache/$name.lock"
flock 9
if [ ! -e "$root.done" ]; then
  rm -rf "$cache/$name"-[0-9]*
  include=$(printf '%s,' "$@")
  # In a mount namespace, so that no mount is left when it is interrupted.
  unshare --mount mmdebstrap --quiet --mode=root --variant="$variant" --dpkgopt=force-unsafe-io \
    --aptopt='Acquire::Languages "none"' --include="${include%,}" "$release" "$root" >&2
  touch "$root.done"
fi
printf '%s\n' "$root"
