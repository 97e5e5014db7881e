#!/bin/bash
# The unit file: nothing to complain about, and exposed no more than it has to be.
. /system-tests/checks.sh

# score LIMIT [DROP-IN]: the exposure level is at most LIMIT; it is written to /run/exposure.
score() {
  local level name=${2:-settled.service}
  if [ $# -gt 1 ]; then
    mkdir -p /etc/systemd/system/settled.service.d
    cp "$2" /etc/systemd/system/settled.service.d/
  fi
  systemctl daemon-reload
  level=$(systemd-analyze security --no-pager settled.service | sed -n 's/.*exposure level.*: \([0-9.]*\) .*/\1/p')
  rm -rf /etc/systemd/system/settled.service.d
  echo "exposure of ${name##*/}: $level, at most $1" >>/run/exposure
  echo "level $level, at most $1"
  awk -v level="$level" -v limit="$1" 'BEGIN {exit !(level != "" && level <= limit)}'
}

# 'verify' exits 0 for what it does not know: any output is a failure. Man pages are not installed.
check 'systemd-analyze verify has nothing to say' is '' systemd-analyze verify --man=no settled.service
check 'exposure as root is at most 4.0' score 4.0
check 'exposure of the files-only variant is at most 1.0' score 1.0 /usr/share/doc/settled/examples/files-only.conf
check 'exposure of the variant with units is at most 1.0' score 1.0 /usr/share/doc/settled/examples/files-and-units.conf
check 'only the main process may notify' is main property settled.service NotifyAccess
cat /run/exposure
