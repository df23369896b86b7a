#!/bin/sh
# Checks the service in a system booted by systemd; see unit-in-namespace.sh.
node=/usr/lib/filestead/lib/node
score() {
  systemd-analyze security --no-pager filestead.service | sed -n 's/.*exposure level.*: \([0-9.]*\) .*/SCORE '"$1"' \1/p'
}
# Without the drop-in for this system (ci.conf), which would make the score worse than on a real system.
mv /etc/systemd/system/filestead.service.d /tmp/dropins
systemctl daemon-reload
score unit
mkdir -p /run/systemd/system/filestead.service.d
cp /usr/share/filestead/commands.conf /run/systemd/system/filestead.service.d/
systemctl daemon-reload
score commands
rm -r /run/systemd/system/filestead.service.d
mv /tmp/dropins /etc/systemd/system/filestead.service.d
systemctl daemon-reload

systemctl restart filestead && echo STARTED
"$node" /test/smoke.mjs http://127.0.0.1:8080/ "$(cat /var/lib/filestead/initial-password)" film
stat -c 'MODE %n %U %a' /var/lib/filestead /var/lib/filestead/filestead.db /srv/filestead/docs/report.txt
systemctl reload filestead && echo RELOADED
systemctl stop filestead && echo "STOPPED $(systemctl show -P Result filestead)"

systemctl start filestead.socket filestead.service && echo SOCKET
"$node" /test/load.mjs 127.0.0.1 8080 /tmp/stop > /tmp/load &
load=$!
systemctl restart filestead.service && systemctl restart filestead.service && echo RESTARTED
touch /tmp/stop
wait "$load"
cat /tmp/load
systemctl stop filestead.socket filestead.service
echo "FAILED UNITS $(systemctl --failed --no-legend --plain | grep -c filestead)"
echo "PASSWORDS IN THE JOURNAL $(journalctl --no-pager -u filestead | grep -cF -f /var/lib/filestead/initial-password)"
