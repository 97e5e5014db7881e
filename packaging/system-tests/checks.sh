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

# within SECONDS COMMAND...: passes as soon as the command does.
within() {
  local end=$(($(date +%s%N) + $1 * 1000000000))
  shift
  until "$@"; do
    [ "$(date +%s%N)" -lt "$end" ] || return 1
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

# A script that sources this ends with the status 1 if a check failed.
trap '[ "$failures" = 0 ] || exit 1' EXIT
