#!/bin/sh
# Creates a minimal Debian of a release with the given additional packages, once a week, and prints its folder.
# fresh-chroot.sh CACHE RELEASE NAME [PACKAGE…]; needs root and mmdebstrap.
set -eu
cache=$1
release=$2
name=$3
shift 3
root=$cache/$name-$(date +%G-%V)
if [ ! -e "$root.done" ]; then
  rm -rf "$cache/$name"-[0-9]*
  include=$(printf '%s,' ca-certificates "$@")
  mmdebstrap --quiet --mode=root --variant=minbase --include="${include%,}" "$release" "$root" >&2
  touch "$root.done"
fi
printf '%s\n' "$root"
