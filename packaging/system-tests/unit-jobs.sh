#!/bin/bash
# SettledSystemd's unit jobs against a real systemd: results, and the deadlock with our own job.
. /system-tests/checks.sh
probe=/usr/bin/system-probe

simple=('[Service]' 'ExecStart=/bin/sleep infinity')
unit web.service "${simple[@]}" 'ExecReload=/bin/true'
unit bad-reload.service "${simple[@]}" 'ExecReload=/bin/false'
unit no-reload.service "${simple[@]}"
unit down.service "${simple[@]}"
unit dies-soon.service '[Service]' 'ExecStart=/bin/sh -c "test ! -e /run/die || exec sleep 0.3; exec sleep infinity"'
unit cannot-start.service "${simple[@]}" 'ExecStartPre=/bin/sh -c "test ! -e /run/die"'
unit condition.service '[Unit]' 'ConditionPathExists=!/run/die' "${simple[@]}"
unit slow.service "${simple[@]}" 'ExecReload=/bin/sleep 30'
unit hup.service '[Service]' 'ExecStart=/bin/sh -c "trap \"echo hup >/run/hup\" HUP; while :; do sleep 0.1; done"'
unit starting.service '[Service]' 'Type=notify' 'NotifyAccess=all' 'ExecStart=/bin/sh -c "sleep 1; systemd-notify --ready; exec sleep infinity"' 'ExecReload=/bin/touch /run/reloaded-after-start'
systemctl daemon-reload
systemctl start web bad-reload no-reload dies-soon cannot-start condition slow hup

check 'a reload succeeds' is 'done' $probe reload web.service
check 'a restart succeeds' is 'done' $probe restart web.service
before=$(property no-reload.service MainPID)
check 'a unit that cannot reload is restarted' is 'done' $probe reload no-reload.service
check 'it has another process' fails is "$before" property no-reload.service MainPID
check 'a failing reload is a failure' is 'failed: job failed, the unit is active (reload: exit-code)' $probe reload bad-reload.service
check 'an inactive unit is skipped' is 'skipped (inactive)' $probe reload down.service
check 'and stays down' is inactive property down.service ActiveState
unit fails.service "${simple[@]}" 'ExecStartPre=/bin/sh -c "test ! -e /run/fail"'
touch /run/fail
systemctl daemon-reload
for _ in $(seq 9); do systemctl start fails.service; done 2>/dev/null
check 'a unit that has failed and fails again is still down' prints '^still down: ' $probe restart fails.service
rm /run/fail
check 'one that can start is started, whatever limit it had hit' is 'done' $probe restart fails.service
check 'and is up' is active property fails.service ActiveState
check 'an unknown unit is a failure' is 'failed: is not known to systemd' $probe reload nowhere.service
systemctl mask -q --runtime masked.service
check 'a masked unit is a failure' is 'failed: cannot be used: masked' $probe restart masked.service
check 'a signal reaches the main process' is 'done' $probe signal hup.service 1
check 'which handles it' within 5 test -s /run/hup
check 'a reload that hangs fails in time' is 'failed: took too long' $probe reload slow.service 1

touch /run/die
check 'a start that fails is a failure' prints '^failed: ' $probe restart cannot-start.service
check 'a unit stopped by a condition is a failure' is 'failed: is inactive (dead) after its job' $probe restart condition.service
check 'a unit that dies later is found out' prints '^failed: did not stay up' $probe confirm restart dies-soon.service
check 'a unit that stays is confirmed' is 'done' $probe confirm restart web.service

systemctl start --no-block starting.service
check 'a unit that is starting is waited for, then reloaded' is 'done' $probe reload starting.service
check 'its reload ran' test -e /run/reloaded-after-start

unit web.service "${simple[@]}" 'ExecReload=/bin/touch /run/new-text'
check 'a changed unit file is read before the job' is 'done' $probe reload web.service
check 'its new text ran' test -e /run/new-text

# dep is ordered after own; own asks for dep's restart within its own start or reload.
unit dep.service '[Unit]' 'After=own.service' "${simple[@]}" 'ExecReload=/bin/true'
unit mid.service '[Unit]' 'After=own.service' "${simple[@]}"
unit far.service '[Unit]' 'After=mid.service' "${simple[@]}"
own() { # own START-VERB START-UNIT RELOAD-COMMAND
  unit own.service '[Service]' 'Type=notify' "ExecStart=$probe start $1 $2" "ExecReload=$3" 'TimeoutStartSec=15' 'StandardOutput=append:/run/own.log'
  systemctl daemon-reload
  : >/run/own.log
}
systemctl start dep mid far
for verb in reload restart; do
  own $verb dep.service /bin/true
  check "a $verb before READY of a unit ordered after ours" timeout 10 systemctl start own.service
  check "avoids the deadlock" is 'done, deadlock avoided' cat /run/own.log
  own reload web.service "$probe $verb dep.service"
  systemctl restart own.service
  : >/run/own.log
  check "a $verb within our reload" timeout 10 systemctl reload own.service
  check "avoids the deadlock too" is 'done, deadlock avoided' cat /run/own.log
  check "dep is up" is active property dep.service ActiveState
  systemctl stop own.service
done
own reload web.service "/bin/sh -c 'systemctl restart --no-block mid.service; exec $probe restart far.service'"
systemctl start own.service
: >/run/own.log
check 'a job behind ours through a third unit' timeout 12 systemctl reload own.service
check 'is found and queued anew' is 'done, deadlock avoided' cat /run/own.log
check 'and the unit is up' is active property far.service ActiveState
check 'our own unit is refused' is 'failed: is the unit of this process' systemd-run -q --wait --pipe --unit=selfish $probe reload selfish.service

# Jobs are neither lost nor hung up by others who reload systemd, or by a new bus.
(for _ in $(seq 40); do systemctl daemon-reload; done) &
noise=$!
lost=0
for _ in $(seq 20); do [ "$($probe reload web.service 20)" = 'done' ] || lost=$((lost + 1)); done
wait $noise
check 'no job is lost while systemd reads its files' test $lost = 0
unit late.service "${simple[@]}" 'ExecReload=/bin/sleep 3'
systemctl daemon-reload
systemctl start late
$probe reload late.service 20 >/run/late.log 2>&1 &
waiting=$!
sleep 0.5
systemctl restart dbus.service
wait $waiting
check 'a job outlives the bus' is 'done' cat /run/late.log
systemctl stop dbus.service dbus.socket
check 'without a bus it is a failure' prints "^failed: cannot be asked, systemd's bus" $probe reload web.service
systemctl start dbus.socket

$probe journal 'to a pipe' 2>/run/plain.log
check 'a message goes to standard error where it is not the journal' is 'probe: to a pipe' cat /run/plain.log
systemd-run -q --wait --unit=writer $probe journal 'to the journal'
entry_has() {
  journalctl -o json MESSAGE_ID=000000005e771ed00000000000000001 | grep -qF "$1"
}
check 'a message to the journal is found by its id' within 5 entry_has '"PRIORITY":"4"'
check 'its fields keep their line breaks' entry_has 'site\nwith a second line'
check 'its source is known' entry_has '"CODE_FILE":"system_probe/main.swift"'
