#!/bin/sh
# Boots systemd as process 1 of new namespaces on the system in the folder $1, runs the script $2 of that system as a service, and
# prints its output. Needs root. Nothing outside of the namespaces is changed.
set -eu
root=$1
script=$2
cat > "$root/etc/systemd/system/check.service" << UNIT
[Unit]
Description=Checks
[Service]
Type=oneshot
ExecStart=-/bin/sh $script
ExecStopPost=/bin/systemctl --force poweroff
StandardOutput=file:/check-output
StandardError=file:/check-output
UNIT
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -sf ../check.service "$root/etc/systemd/system/multi-user.target.wants/check.service"
rm -f "$root/check-output"
timeout 240 unshare --fork --kill-child --mount --pid --uts --ipc --net --cgroup sh -c '
  mount --make-rprivate /
  mount --bind "$0" "$0"
  mount -t proc proc "$0/proc"
  mount -t sysfs sysfs "$0/sys"
  mount -t tmpfs tmpfs "$0/run"
  mount -t tmpfs tmpfs "$0/tmp"
  mount -t tmpfs tmpfs "$0/dev"
  for device in null zero full random urandom tty; do
    touch "$0/dev/$device"
    mount --bind "/dev/$device" "$0/dev/$device"
  done
  mkdir "$0/dev/shm" "$0/dev/pts"
  mount -t tmpfs tmpfs "$0/sys/fs/cgroup"
  mkdir "$0/sys/fs/cgroup/systemd"
  mount -t cgroup -o none,name=systemd systemd "$0/sys/fs/cgroup/systemd"
  exec chroot "$0" /usr/bin/env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --system --unit=multi-user.target --show-status=no --log-level=warning
' "$root" < /dev/null > "$root/boot-output" 2>&1 || true
cat "$root/check-output"
