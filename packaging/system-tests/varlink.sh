#!/bin/bash
# systemd's own varlinkctl (255 and later) drives every method of the interface.
. /system-tests/checks.sh
if ! command -v varlinkctl >/dev/null; then
  echo "skipped: no varlinkctl here ($(systemctl --version | head -n 1))"
  exit 0
fi
settle_here
systemctl start settled.service
address=/run/settled/io.settled
call() { local method=$1; shift; varlinkctl call "$@" "$address" "io.settled.$method" "${parameters:-{\}}"; }
called=()
# answers METHOD PARAMETERS PATTERN [OPTION...]
answers() {
  local parameters=$2 pattern=$3 method=$1
  shift 3
  prints "$pattern" call "$method" -j "$@"
}
method() {
  called+=("$1")
  check "varlinkctl calls $1" answers "$@"
}

check 'it is introduced' prints 'io.settled' varlinkctl info $address
introspected() { varlinkctl introspect $address io.settled >/run/interface && varlinkctl validate-idl /run/interface; }
check 'its description passes the parser of systemd' introspected
method GetStatus '{}' '"state":"settled"'
method Get '{"path":"listen"}' '{"value":"127.0.0.1:8080"}'
method Evaluate '{"expression":"http.port + 1"}' '{"value":8081,"reads":\["http.port"\]}'
method Show '{}' '"derived":{"listen":"127.0.0.1:8080"}'
method Explain '{"name":"http.port"}' '"origin":"shop.yaml"'
method GetGraph '{}' '{"from":"setting http.port","to":"derived listen"}'
method Wait '{}' '"state":"settled"'
method GetMetrics '{}' 'settled_build_info'
method Plan '{}' '"refused":false,"changes":false'
method Apply '{"target":"site"}' '"outcome":"unchanged"'
method Reload '{}' '"outcome":"unchanged"'
method GetHistory '{"last":3}' '"cause":"start"'
# Without 'more' a watch tells what holds now; with it, the changes too.
method Watch '{"paths":["listen"]}' '"path":"listen","value":"127.0.0.1:8080"'
parameters='{"paths":["listen"]}' call Watch -j --more >/run/watched &
watching=$!
check 'a stream begins with what holds' within 5 grep -q 8080 /run/watched
sed -i 's/8080/9090/' /etc/settled/shop.yaml
check 'and goes on with what changes' within 5 grep -q '"value":"127.0.0.1:9090"' /run/watched
kill $watching
check 'no method was left out' is "$(printf 'io.settled.%s\n' "${called[@]}" | sort)" \
  sh -c "varlinkctl list-methods $address io.settled | sort"
parameters='{"path":"http.prot"}'
check 'an error comes with its parameters' prints 'did you mean' call Get -j
check 'and fails the call' fails call Get
parameters='{}'
check 'a missing parameter is named' prints 'InvalidParameter' call Get
check 'a method that is not there is told' prints 'MethodNotFound' call Nonsense
check 'others may ask for the status' as_nobody varlinkctl call $address io.settled.GetStatus '{}'
check 'but for nothing else' prints 'PermissionDenied' as_nobody varlinkctl call $address io.settled.Show '{}'
