#!/bin/bash
# The daemon under systemd: start, reload and its verdict, signals, stop, restart, watchdog.
. /system-tests/checks.sh

# Every script of this kind begins with the same settings: see settle_here in checks.sh.
settle_here
file=/etc/shop/site.conf
main() { property settled.service MainPID; }
has_port() { grep -qx "listen 127.0.0.1:$1;" $file; }
port() { printf 'http:\n  host: 127.0.0.1\n  port: %s\n' "$1" >/etc/settled/shop.yaml; }
broken() { printf 'http:\n  host: 127.0.0.1\n  port: [\n' >/etc/settled/shop.yaml; }
is_active() { is active property settled.service ActiveState; }
journal_has() { journalctl -u settled.service -o cat | grep -q -- "$1"; }
signal() { sh -c "kill -$1 $2"; }

# --- start
unit follower.service '[Unit]' 'After=settled.service' '[Service]' 'Type=oneshot' 'RemainAfterExit=yes' \
  "ExecStart=/usr/bin/test -s $file -a -s /etc/default/shop -a -s /etc/shop/features.json"
systemctl daemon-reload
check 'the unit starts' systemctl start settled.service
check 'the files are there as soon as it is active' test -s $file
check 'the template is rendered' has_port 8080
check 'the env file is written' grep -q '^SHOP_LISTEN=.*127.0.0.1:8080' /etc/default/shop
check 'the JSON file is written' grep -q '"search": *true' /etc/shop/features.json
check 'the mode asked for is set' is 640 stat -c %a /etc/default/shop
systemctl stop settled.service
rm -rf /etc/shop /etc/default/shop
mkdir /etc/shop
check 'what is ordered after it finds the files' systemctl start settled.service follower.service
check 'it says in one line how it is' prints 'generation' property settled.service StatusText
check 'settlectl says it is settled' settlectl status
check 'the control socket is there for all' is 'srw-rw-rw-' stat -c %A /run/settled/io.settled
check 'in a folder of its own' is 'drwxr-xr-x root' stat -c '%A %U' /run/settled
check 'no signal that it handles can kill a thread' blocked_everywhere "$(main)"

# --- reload
pid=$(main)
port 8081
check 'a reload after an edit succeeds' systemctl reload settled.service
check 'and its values are in place when it returns' has_port 8081
broken
check 'a reload of a broken edit fails' fails systemctl reload settled.service
check 'with status 1' is 1 reload_status
check 'the reason stands in the journal of the unit' within 5 journal_has 'shop.yaml:[0-9]*:[0-9]*: error'
check 'the unit stays active' is_active
check 'it is the same process' is "$pid" main
check 'the file keeps the last good values' has_port 8081
check 'the status line names the place' prints 'shop.yaml:[0-9]' property settled.service StatusText
check 'settlectl status ends with 1' is 1 exit_status settlectl status
check 'a second broken reload fails as well' fails systemctl reload settled.service
port 8082
check 'a reload after the repair succeeds' systemctl reload settled.service
check 'and applies' has_port 8082
check 'the error number is taken back' is 0 property settled.service StatusErrno
check 'settlectl status ends with 0' settlectl status
check 'a reload without a change succeeds' systemctl reload settled.service
check 'the control tool needs no environment' env -i /usr/bin/settlectl reload
lost=0
for round in $(seq 20); do
  broken; systemctl reload settled.service && lost=$((lost + 1))
  port $((9000 + round)); systemctl reload settled.service || lost=$((lost + 1))
  has_port $((9000 + round)) || lost=$((lost + 1))
done 2>/dev/null
check 'twenty times bad and good give the right verdict each' test $lost = 0
port 8083
check 'five reloads at once succeed' reloads_at_once 5
check 'and apply' has_port 8083

# --- an edit alone
port 8084
check 'an edit is applied without a reload' within 5 has_port 8084
broken
check 'a broken edit is reported' within 5 prints 'shop.yaml:[0-9]' property settled.service StatusText
check 'and leaves the unit active' is_active
port 8085
check 'the repair is applied' within 5 has_port 8085

# --- signals
signal HUP "$(main)"
check 'SIGHUP leaves it active' within 5 is_active
port 8086; signal HUP "$(main)"
check 'SIGHUP reloads' within 5 has_port 8086
broken; signal HUP "$(main)"
check 'SIGHUP with a broken edit is reported' within 5 prints 'shop.yaml:[0-9]' property settled.service StatusText
check 'and the unit is not left reloading' within 5 is_active
check 'it is still the same process' is "$pid" main
port 8087
check 'a reload after it succeeds' systemctl reload settled.service

# --- a reload that is disturbed
signal STOP "$(main)"
systemctl reload --no-block settled.service
within 5 reloading >/dev/null
signal KILL "$(reloading)"
signal CONT "$(main)"
check 'a settlectl killed in a reload leaves the unit active' within 10 is_active
check 'and the next reload works' systemctl reload settled.service
signal STOP "$(main)"
systemctl reload --no-block settled.service
within 5 reloading >/dev/null
systemctl stop --no-block settled.service
sleep 0.3
signal CONT "$(main)"
check 'a stop during a reload is no failure' within 10 is inactive property settled.service ActiveState

# --- stop and restart
systemctl reset-failed settled.service 2>/dev/null
systemctl start settled.service
before=$(stat -c %i $file)
check 'a stop is clean' systemctl stop settled.service
check 'its result is success' is success property settled.service Result
check 'its exit status is 0' is 0 property settled.service ExecMainStatus
check 'the files stay' has_port 8087
check 'settlectl says that it does not run' is 3 exit_status settlectl status
systemctl start settled.service
check 'a start that changes nothing writes nothing' is "$before" stat -c %i $file
for _ in 1 2 3; do systemctl restart settled.service; done
check 'it can be asked after restarts' settlectl status
port 8088
check 'and reloaded' systemctl reload settled.service
check 'with effect' has_port 8088

# --- while it starts
systemctl stop settled.service
lost=0
for round in $(seq 30); do
  systemctl reset-failed settled.service 2>/dev/null
  systemctl start --no-block settled.service
  sleep "0.0$((round % 10))$((round % 7))"
  port $((9100 + round))
  systemctl reload settled.service 2>/dev/null || within 5 is_active || lost=$((lost + 1))
  within 3 has_port $((9100 + round)) || lost=$((lost + 1))
  systemctl stop settled.service
done
check 'an edit during the start is not lost' test $lost = 0
lost=0
for round in $(seq 30); do
  systemctl reset-failed settled.service 2>/dev/null
  systemctl start --no-block settled.service
  pid=0
  while [ "$pid" = 0 ] || [ "$(cat /proc/$pid/comm)" != settled ]; do pid=$(main); done
  # Before a program's first instruction nobody can keep a signal from it.
  sleep "0.0$(printf %02d $((5 + 2 * round)))"
  signal HUP "$pid"
  within 5 is_active && [ "$(main)" = "$pid" ] || lost=$((lost + 1))
  systemctl stop settled.service
done
check 'SIGHUP during the start never kills it' test $lost = 0

# --- who may do what
systemctl reset-failed settled.service 2>/dev/null
systemctl start settled.service
check 'anyone may ask for the status' as_nobody settlectl status
check 'but not give orders' is 4 exit_status as_nobody settlectl reload

# Many clients of somebody without rights, who call nothing and hold their connections.
(ulimit -n 4096; setpriv --reuid=65534 --regid=65534 --clear-groups perl -MIO::Socket::UNIX -e \
  'for (1..2000) { push @s, IO::Socket::UNIX->new(Peer => "/run/settled/io.settled") } sleep 60') &
clients=$!
descriptors() { ls "/proc/$(main)/fd" | wc -l; }
crowded() { [ "$(descriptors)" -gt 1024 ] || { descriptors; return 1; }; }
check 'thousands of clients may connect' within 20 crowded
check 'not more of one user than the limit' sh -c "sleep 1; [ $(descriptors) -lt 1200 ]"
memory() { awk '/^VmRSS/ {print $2; exit !($2 < 65536)}' "/proc/$(main)/status"; }
check 'they cost little memory' memory
check 'others are answered' settlectl status
port 8095
check 'and a reload works' systemctl reload settled.service
check 'with effect' has_port 8095
kill $clients; wait $clients 2>/dev/null

# --- watchdog
mkdir -p /etc/systemd/system/settled.service.d
printf '[Service]\nWatchdogSec=2s\nRestartSec=200ms\n' >/etc/systemd/system/settled.service.d/watchdog.conf
systemctl daemon-reload
systemctl restart settled.service
pid=$(main)
sleep 5
check 'it feeds the watchdog while it is idle' is "$pid" main
signal STOP "$pid"
check 'a hung daemon is started anew' within 15 restarted_since "$pid"
check 'and is active' within 5 is_active
rm -rf /etc/systemd/system/settled.service.d
systemctl daemon-reload

# --- nothing good to run on
systemctl stop settled.service
systemctl reset-failed settled.service
rm -rf /var/lib/settled
broken
check 'without anything good it does not start' fails systemctl start settled.service
check 'it ends with 78' is 78 property settled.service ExecMainStatus
check 'it is not tried again' is 0 property settled.service NRestarts
check 'the place of the error stays visible' prints 'shop.yaml:[0-9]' property settled.service StatusText
check 'and stands in the journal' within 5 journal_has 'shop.yaml:[0-9]*:[0-9]*: error'
check 'nobody spoke to systemd for it' fails journal_has 'Got notification message from PID'
