#!/bin/bash
# 'settled --once' where an image is built, and 'settlectl check' in the CI of a settings repository:
# no systemd, no bus, nothing in /run, as root and as somebody.
. /system-tests/checks.sh

mkdir -p /build/settings
cat >/build/settings/settled.yaml <<'END'
layers: [shop.yaml]
targets:
  site:
    file: /etc/shop/site.conf
    make_directories: true
    content: "port {{ port }}\n"
    reload: nginx.service
END
echo 'port: 8080' >/build/settings/shop.yaml
chmod -R a+rwX /build
# bare COMMAND...: as in a container that runs nothing else.
bare() { env -i PATH="$PATH" HOME=/build unshare --mount --net --pid --fork --mount-proc sh -c 'mount -t tmpfs none /run && cd /build && "$@"' sh "$@"; }
nobody() { bare setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

check 'a settings repository is checked without a daemon' bare settlectl check settings/settled.yaml
check 'by anybody' nobody settlectl check settings/settled.yaml
check 'the plan can be looked at too' prints 'create .*/etc/shop/site.conf' nobody settlectl plan settings/settled.yaml --root /build/root
echo 'port: [' >/build/settings/shop.yaml
check 'a fault fails it' is 1 exit_status bare settlectl check settings/settled.yaml
check 'and is told with its place' prints '^shop.yaml:[0-9]*:[0-9]*: error: ' bare settlectl check settings/settled.yaml
check 'for programs as well' prints '"refused": true' bare settlectl check --json settings/settled.yaml
check 'settled --once is refused as well' is 1 exit_status bare settled --once --manifest settings/settled.yaml --root /build/image
check 'and has written nothing' fails test -e /build/image/etc/shop/site.conf
echo 'port: 8080' >/build/settings/shop.yaml
check 'settled --once builds an image, as root' bare settled --once --manifest settings/settled.yaml --root /build/image
check 'with its files' is 'port 8080' cat /build/image/etc/shop/site.conf
check 'and says what was passed over' prints 'reload nginx.service for site: skipped' \
  bare settled --once --manifest settings/settled.yaml --root /build/other --state-directory /build/state
before=$(stat -c %i /build/image/etc/shop/site.conf)
check 'and it succeeds' bare settled --once --manifest settings/settled.yaml --root /build/image
check 'the file is the same one' is "$before" stat -c %i /build/image/etc/shop/site.conf
check 'as somebody it builds one too' nobody settled --once --manifest settings/settled.yaml --root /build/mine
check 'with its files' is 'port 8080' cat /build/mine/etc/shop/site.conf
check 'and keeps its state below the home' test -d /build/.local/state/settled
check 'what it may not write is told' prints "'/etc/shop" nobody settled --once --manifest settings/settled.yaml
check 'with status 1' is 1 exit_status nobody settled --once --manifest settings/settled.yaml
