#!/bin/bash
# The acceptance test of a reload under systemd: its verdict in every case, what comes at the same
# time, what takes long, and what a child process could do to it.
. /system-tests/checks.sh

mkdir -p /etc/settled /etc/shop
cat >/etc/settled/settled.yaml <<'END'
layers:
  - base.yaml
  - shop.yaml
  - optional: extra.yaml
targets:
  site:
    file: /etc/shop/site.conf
    template: site.tmpl
  slow:
    file: /etc/shop/slow.conf
    content: "{{ port }} {{ name }}\n"
    check: [sh, -c, 'sleep "$(cat /run/check-delay)"']
    run: [/bin/sh, /run/hook]
    timeout: 20s
END
cat >/run/hook <<'END'
env >/run/environment
grep -E '^Sig(Blk|Ign):' /proc/self/status >/run/signals
systemd-notify --ready --status=forged 2>/dev/null
systemd-notify STOPPING=1 2>/dev/null
sleep "$(cat /run/delay)"
test ! -e /run/refuse
END
echo 'port {{ port }}' >/etc/settled/site.tmpl
printf 'port: 1\nname: base\n' >/etc/settled/base.yaml
delay() { echo "$1" >/run/delay; }
start_delay() { echo "$1" >/run/check-delay; }
delay 0
start_delay 0

main() { property settled.service MainPID; }
state() { property settled.service ActiveState; }
has_port() { is "port $1" cat /etc/shop/site.conf; }
port() { printf 'port: %s\n' "$1" >/etc/settled/.new && mv /etc/settled/.new /etc/settled/shop.yaml; }
reload() { systemctl reload settled.service; }
start() { systemctl reset-failed settled.service 2>/dev/null; systemctl start settled.service; }
signal() { sh -c "kill -$1 $2"; }
journal_has() { journalctl -u settled.service -o cat | grep -q -- "$1"; }
# with LINE...: the unit has these in its [Service] section.
with() {
  mkdir -p /etc/systemd/system/settled.service.d
  printf '%s\n' '[Service]' "$@" >/etc/systemd/system/settled.service.d/test.conf
  systemctl daemon-reload
}
without() { rm -rf /etc/systemd/system/settled.service.d; systemctl daemon-reload; }
# lasts LEAST MOST COMMAND...: the command succeeds, after so many tenths of a second.
lasts() {
  local least=$1 most=$2 begin=$(date +%s%N) took
  shift 2
  "$@" || return 1
  took=$((($(date +%s%N) - begin) / 100000000))
  echo "took $took tenths of a second"
  [ $took -ge "$least" ] && [ $took -le "$most" ]
}

# --- the verdict
port 2
start
pid=$(main)
port 3
check 'an accepted reload succeeds, and its values are in force' reload
slow_reload() { delay 1.5; port 4; reload && delay 0 && has_port 4; }
check 'a reload returns when a slow apply is done, not before' lasts 15 60 slow_reload
printf 'port: [\n' >/etc/settled/shop.yaml
check 'a refused reload fails' fails reload
check 'by the status of settlectl, not by a signal or a limit' is 1 reload_status
check 'and systemd keeps it as the result' is exit-code property settled.service ReloadResult
check 'the unit stays active, as the same process, on the last good values' \
  sh -c "[ '$(state)' = active ] && [ '$(main)' = '$pid' ] && grep -qx 'port 4' /etc/shop/site.conf"
check 'the status line names the place' prints 'shop.yaml:[0-9]*:[0-9]*' property settled.service StatusText
check 'the error number is EINVAL' is 22 property settled.service StatusErrno
port 5
check 'the repair takes both back' sh -c "systemctl reload settled.service &&
  [ \$(systemctl show -P StatusErrno settled.service) = 0 ] &&
  systemctl show -P StatusText settled.service | grep -q '^settled: '"

# Every way a pass can fail ends with READY, or the unit would stay reloading for ever.
lost=
fault() {
  systemctl reload settled.service 2>/dev/null && lost="$lost; $1 was accepted"
  [ "$(state)" = active ] || lost="$lost; $(state) after $1"
}
good() { port "$1"; reload || lost="$lost; refused after $2"; has_port "$1" >/dev/null || lost="$lost; not applied after $2"; }
printf 'port: [\n' >/etc/settled/shop.yaml; fault 'a fault of syntax'; good 10 'a fault of syntax'
rm /etc/settled/shop.yaml; fault 'a missing file'; good 11 'a missing file'
echo '{{ nothing }}' >/etc/settled/site.tmpl; fault 'a template that fails'
echo 'port {{ port }}' >/etc/settled/site.tmpl; good 12 'a template that fails'
start_delay nonsense; port 13; fault 'a check that fails'; start_delay 0; good 14 'a check that fails'
touch /run/refuse; port 15; fault 'a command that fails'; rm /run/refuse; good 16 'a command that fails'
chattr +i /etc/shop 2>/dev/null && { port 17; fault 'a directory that cannot be written'; chattr -i /etc/shop; }
good 18 'a directory that cannot be written'
check 'after every kind of failure the unit is active, and the next reload works' is '' echo "$lost"
check 'a layer that goes away gives back what it overrode' sh -c "
  echo 'name: extra' >/etc/settled/extra.yaml && systemctl reload settled.service &&
  grep -qx '18 extra' /etc/shop/slow.conf && rm /etc/settled/extra.yaml &&
  systemctl reload settled.service && grep -qx '18 base' /etc/shop/slow.conf"
echo 'port {{ port }}!' >/etc/settled/site.tmpl
check 'an edit of a template alone is a change' sh -c \
  "systemctl reload settled.service && grep -qx 'port 18!' /etc/shop/site.conf"
echo 'port {{ port }}' >/etc/settled/site.tmpl
reload

# --- at the same time
delay 1
port 20
check 'five reloads at once all succeed' reloads_at_once 5
check 'and the last state is in force' has_port 20
port 21; signal HUP "$(main)"; sleep 0.3
port 22
check 'a reload during the one of a SIGHUP waits, and then has its own' sh -c \
  "systemctl reload settled.service && grep -qx 'port 22' /etc/shop/site.conf"
port 23; systemctl reload --no-block settled.service; within 5 reloading >/dev/null
before=$(main)
check 'a restart during a reload works' systemctl restart settled.service
check 'as another process, with the new values' sh -c \
  "[ '$(main)' != '$before' ] && grep -qx 'port 23' /etc/shop/site.conf"
port 24; systemctl reload --no-block settled.service; within 5 reloading >/dev/null
systemctl stop settled.service
check 'a stop during a reload is no failure' is 'inactive success' \
  sh -c 'echo $(systemctl show -P ActiveState settled.service) $(systemctl show -P Result settled.service)'
start
port 25; systemctl reload --no-block settled.service; within 5 reloading >/dev/null
before=$(main); signal KILL "$before"
recovered() { within 15 restarted_since "$before" && within 10 has_port 25; }
check 'a daemon killed in a reload is started anew, and the edit is in force' recovered
delay 0
check 'and can be reloaded' within 10 reload
signal HUP "$(main)"; signal HUP "$(main)"; signal HUP "$(main)"
check 'three SIGHUPs leave it active' within 5 is active state

# --- what takes long
with WatchdogSec=2s TimeoutStartSec=4s
systemctl restart settled.service
pid=$(main)
delay 6
port 30
check 'a reload three times as long as the watchdog, and longer than the limit, succeeds' reload
check 'as the same process, and by no kill of the watchdog' is "$pid success" \
  sh -c 'echo $(systemctl show -P MainPID settled.service) $(systemctl show -P Result settled.service)'
delay 0
# A bus that does not answer, with a unit to be reloaded over it (systemd#2010, #2439).
unit bystander.service '[Service]' 'ExecStart=/bin/sleep infinity' 'ExecReload=/bin/true'
systemctl daemon-reload
systemctl start bystander.service
cp /etc/settled/settled.yaml /run/settled.yaml
printf '  bystander: {follows: port, reload: bystander.service, timeout: 7s, required: false}\n' >>/etc/settled/settled.yaml
reload
bus=$(property dbus.service MainPID)
signal STOP "$bus"
port 33
check 'an edit with a bus that hangs is in force' within 20 has_port 33
sleep 8
check 'a bus that hangs three times as long as the watchdog ends nothing' is "$pid success" \
  sh -c "kill -0 $pid && echo $pid success"
signal CONT "$bus"
check 'it is the same process, by no kill of the watchdog' within 10 is "$pid success" \
  sh -c 'echo $(systemctl show -P MainPID settled.service) $(systemctl show -P Result settled.service)'
check 'and it is settled once the bus answers' within 30 settlectl status
cp /run/settled.yaml /etc/settled/settled.yaml
check 'and reloaded' reload
port 31
signal STOP "$pid"
check 'a reload of a daemon that hangs fails at the limit' fails reload
signal CONT "$pid"
check 'and works when there is one that does not' within 10 reload
systemctl stop settled.service
start_delay 6
port 32
check 'a start longer than the limit succeeds while it makes progress' start
check 'with the new values' has_port 32
start_delay 0
without
systemctl restart settled.service

# --- while it starts
systemctl stop settled.service
start_delay 1
port 40
systemctl start --no-block settled.service
within 5 sh -c '[ "$(systemctl show -P ActiveState settled.service)" = activating ]'
sleep 0.3
port 41
check 'a reload while it starts succeeds' reload
check 'and what was edited before it is in force soon' within 5 has_port 41
start_delay 0

# --- a signal to all of the unit, while a command runs (gitmoot#1438)
delay 2
port 44
systemctl reload --no-block settled.service
hook_runs() { grep -qaz '^/run/hook$' /proc/[0-9]*/cmdline 2>/dev/null; }
check 'a command runs' within 5 hook_runs
systemctl kill -s HUP settled.service
check 'SIGHUP to the whole unit leaves it active' within 5 is active state
check 'and what it ended is tried again: the edit is in force' within 20 has_port 44
delay 0

# --- nothing in its environment but the notification socket (nixpkgs#128463)
systemctl stop settled.service
with 'ExecStart=' 'ExecStart=/usr/bin/env -i NOTIFY_SOCKET=${NOTIFY_SOCKET} /usr/sbin/settled'
check 'it starts with nothing but the notification socket in its environment' start
check 'and is ready, in force, and active' is 'active' state
port 45
check 'and can be reloaded' reload
check 'with effect' has_port 45
without
systemctl restart settled.service

# --- restarts
with RestartSec=100ms
systemctl restart settled.service
systemctl reset-failed settled.service
for _ in 1 2 3 4 5 6 7; do
  before=$(main)
  # Process 0 would be this script itself.
  [ "$before" = 0 ] && break
  signal KILL "$before" 2>/dev/null
  within 5 restarted_since "$before" >/dev/null
done
check 'a daemon that dies again and again is given up' within 5 is failed state
check 'after as many starts as the unit allows' sh -c \
  'n=$(systemctl show -P NRestarts settled.service); echo "$n restarts"; [ $n -ge 4 ] && [ $n -le 6 ]'
check 'its files stay' has_port 45
check 'and it can be started again' start
without
systemctl reload-or-restart settled.service
rm -rf /var/lib/settled/*
printf 'port: [\n' >/etc/settled/shop.yaml
systemctl stop settled.service
check 'refused at the start, it is not started again and again' sh -c \
  'systemctl start settled.service; sleep 3
   [ "$(systemctl show -P NRestarts settled.service) $(systemctl show -P ExecMainStatus settled.service)" = "0 78" ]'
port 42
check 'and starts when it is mended' start

# --- what children could do
port 43; reload
check 'commands know nothing of the notification socket and the watchdog' \
  fails grep -E '^(NOTIFY_|WATCHDOG_|LISTEN_|JOURNAL_|INVOCATION_ID|MAINPID)' /run/environment
# Of those that are ignored, 32 and 33 are the C library's own (nptl(7)).
check 'no signal is blocked or ignored in them' is 'SigBlk:	0000000000000000
SigIgn:	0000000000000000' sed 's/\(SigIgn:.*\)0000000180000000/\10000000000000000/' /run/signals
check 'what they say to systemd does not reach it' prints '^settled: ' property settled.service StatusText
check 'nor does anybody else' fails journal_has 'Got notification message from PID'
