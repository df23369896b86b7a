#!/bin/sh
# Creates the root of the image in the folder $1 from Debian packages, unpacked and not installed: the C and C++ libraries that
# Node needs, a shell, setpriv, certificates and time zones. $2 is the architecture. Requires apt-get and dpkg-deb, but not root.
set -eu
root=$1
architecture=$2
packages='libc6 libstdc++6 libgcc-s1 busybox-static base-files util-linux libcap-ng0'
# Packages for all architectures cannot be downloaded as NAME:ARCHITECTURE.
common='netbase ca-certificates tzdata'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$root" "$work/debs"
chmod 755 "$work" "$work/debs"
# Once for all of them, because apt-get reads the lists of all packages each time.
(
  set -- $common
  for package in $packages; do set -- "$@" "$package:$architecture"; done
  cd "$work/debs" && apt-get download -qq "$@"
)
# Debian 12 has /bin, /lib and /sbin in /usr.
for folder in bin sbin lib lib64; do
  mkdir -p "$root/usr/$folder"
  ln -s "usr/$folder" "$root/$folder"
done
for file in "$work"/debs/*.deb; do
  case $(dpkg-deb -f "$file" Architecture) in
    all | "$architecture") ;;
    *)
      echo "$file is not for $architecture: dpkg --add-architecture $architecture && apt-get update" >&2
      exit 1
      ;;
  esac
  mkdir "$work/tree"
  dpkg-deb -x "$file" "$work/tree"
  case $file in
    */util-linux_*)
      mv "$work/tree/usr/bin/setpriv" "$work/setpriv"
      find "$work/tree" -mindepth 1 ! -path '*/doc*' ! -path "$work/tree/usr" ! -path "$work/tree/usr/share" -delete 2> /dev/null || true
      mkdir -p "$work/tree/usr/bin"
      mv "$work/setpriv" "$work/tree/usr/bin/setpriv"
      ;;
  esac
  for folder in bin sbin lib lib64; do
    if [ -d "$work/tree/$folder" ]; then
      cp -a "$work/tree/$folder/." "$root/usr/$folder/"
      rm -r "$work/tree/$folder"
    fi
  done
  cp -a "$work/tree/." "$root/"
  rm -r "$work/tree"
done

# Removes manuals and files that only compilers and other locales read; copyright files are kept.
rm -rf "$root/usr/share/man" "$root/usr/share/info" "$root/usr/share/lintian" "$root/usr/share/bug" "$root/usr/share/locale"
find "$root/usr/share/doc" -type f ! -name copyright -delete
rm -rf "$root"/usr/lib/*/gconv "$root/usr/lib/locale" "$root/usr/share/zoneinfo/right" "$root/usr/share/zoneinfo/posix"
find "$root/usr/share/doc" -type d -empty -delete

# Concatenates all certificates into the file that programs read.
find "$root/usr/share/ca-certificates" -name '*.crt' | LC_ALL=C sort | xargs cat > "$root/etc/ssl/certs/ca-certificates.crt"
rm -rf "$root/usr/share/ca-certificates"

for applet in sh env id stat chown mkdir cat ls; do
  ln -sf busybox "$root/usr/bin/$applet"
done
printf 'root:x:0:0:root:/root:/bin/sh\nfilestead:x:1000:1000:Filestead:/database:/bin/sh\n' > "$root/etc/passwd"
printf 'root:x:0:\nfilestead:x:1000:\n' > "$root/etc/group"
mkdir -p "$root/srv" "$root/database" "$root/config" "$root/tmp" "$root/proc" "$root/dev" "$root/sys" "$root/run"
chmod 1777 "$root/tmp"
