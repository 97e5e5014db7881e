# Sourced by the scripts that run inside the container: checks that print one line each.
#   ok - NAME | not ok - NAME
set -u
failures=0

# check NAME COMMAND...: passes if the command does.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then echo "ok - $name"; else
    failures=$((failures + 1))
    echo "not ok - $name"
    printf '%s\n' "$output" | sed 's/^/    /'
  fi
}

# fails COMMAND...: the opposite.
fails() { ! "$@"; }

# is WANTED COMMAND...: the command prints exactly this.
is() {
  local wanted=$1 got
  shift
  got=$("$@" 2>&1)
  [ "$got" = "$wanted" ] || { echo "wanted: $wanted"; echo "got:    $got"; return 1; }
}

# prints PATTERN COMMAND...: some line that the command prints matches.
prints() {
  local pattern=$1 got
  shift
  got=$("$@" 2>&1)
  grep -q -- "$pattern" <<<"$got" || { echo "wanted: $pattern"; echo "got:    $got"; return 1; }
}

# within SECONDS COMMAND...: passes as soon as the command does; else shows its last output.
within() {
  local end=$(($(date +%s%N) + $1 * 1000000000)) output
  shift
  until output=$("$@" 2>&1); do
    [ "$(date +%s%N)" -lt "$end" ] || { printf '%s\n' "$output"; return 1; }
    sleep 0.05
  done
}

# property UNIT NAME
property() { systemctl show -P "$2" "$1"; }

# unit NAME LINE...: writes a unit file.
unit() {
  local name=$1
  shift
  printf '%s\n' "$@" >"/etc/systemd/system/$name"
}

# --- for the scripts about the daemon

# Settings and a manifest with three targets, as an administrator would have them.
settle_here() {
  mkdir -p /etc/settled /etc/shop
  cat >/etc/settled/settled.yaml <<'END'
layers:
  - shop.yaml
  - shop.d/*.yaml
derived:
  listen: http.host + ":" + string(http.port)
targets:
  site:
    file: /etc/shop/site.conf
    content: |
      listen {{ listen }};
  environment:
    file: /etc/default/shop
    mode: "0640"
    value: '{"SHOP_LISTEN": listen}'
    format: env
  features:
    file: /etc/shop/features.json
    value: features
    format: json
END
  mkdir -p /etc/settled/shop.d
  printf 'http:\n  host: 127.0.0.1\n  port: 8080\n' >/etc/settled/shop.yaml
  printf 'features:\n  search: true\n' >/etc/settled/shop.d/10-features.yaml
}

# exit_status COMMAND...: prints it.
exit_status() { "$@" >/dev/null 2>&1; echo $?; }

# The exit status of the settlectl that the last reload of the unit ran.
reload_status() { systemctl show -P ExecReload settled.service | sed -n 's/.*status=\([0-9]*\).*/\1/p'; }

# blocked_everywhere PID: SIGHUP, SIGINT and SIGTERM are blocked in every thread of it.
blocked_everywhere() {
  local mask
  for mask in $(sed -n 's/^SigBlk:\t//p' /proc/"$1"/task/*/status); do
    [ $((0x$mask & 0x4003)) = $((0x4003)) ] || { echo "blocked: $mask"; return 1; }
  done
}

# reloads_at_once COUNT: all of them succeed.
reloads_at_once() {
  local jobs=() job result=0
  for _ in $(seq "$1"); do systemctl reload settled.service & jobs+=($!); done
  for job in "${jobs[@]}"; do wait "$job" || result=1; done
  return $result
}

# The settlectl of a reload that is running.
reloading() {
  local process
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" = settlectl ] && { echo "${process#/proc/}"; return 0; }
  done
  return 1
}

# restarted_since PID: settled runs, as another process.
restarted_since() {
  local now
  now=$(property settled.service MainPID)
  [ "$now" != 0 ] && [ "$now" != "$1" ]
}

as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

# A script that sources this ends with the status 1 if a check failed.
trap '[ "$failures" = 0 ] || exit 1' EXIT
