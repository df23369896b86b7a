#!/bin/sh
# Creates a minimal Debian with the given additional packages, once a week, and prints its folder.
# fresh-chroot.sh CACHE NAME [PACKAGE…]; needs root and mmdebstrap.
set -eu
cache=$1
name=$2
shift 2
root=$cache/$name-$(date +%G-%V)
if [ ! -e "$root.done" ]; then
  rm -rf "$cache/$name"-*
  include=$(printf '%s,' ca-certificates "$@")
  mmdebstrap --quiet --mode=root --variant=minbase --include="${include%,}" bookworm "$root" >&2
  touch "$root.done"
fi
printf '%s\n' "$root"
