#!/bin/bash
# The daemon without root: files only, and with the units that a polkit rule allows it.
. /system-tests/checks.sh
main() { property settled.service MainPID; }
user_of() { stat -c %U "/proc/$(main)"; }
port() { printf 'port: %s\n' "$1" >/etc/settled/shop.yaml; }
# variant NAME: the daemon runs by this drop-in.
variant() {
  rm -rf /etc/systemd/system/settled.service.d
  mkdir -p /etc/systemd/system/settled.service.d
  cp "/usr/share/doc/settled/examples/$1" /etc/systemd/system/settled.service.d/
  systemctl daemon-reload
}

systemd-sysusers
rm -f /etc/nginx/sites-enabled/default
mkdir -p /etc/settled /etc/systemd/system/nginx.service.d
chown settled: /etc/nginx/conf.d
printf '[Service]\nExecReload=\nExecReload=/bin/sh -c "echo reload >>/run/reloads"\n' \
  >/etc/systemd/system/nginx.service.d/test.conf
unit other.service '[Service]' 'ExecStart=/bin/sleep infinity' 'ExecReload=/bin/touch /run/other'
port 8080
# manifest LINE [FILE]
manifest() {
  cat >/etc/settled/settled.yaml <<END
layers: [shop.yaml]
targets:
  site:
    file: ${2:-/etc/nginx/conf.d/shop.conf}
    content: "# port {{ port }}\n"
    $1
END
}

# --- files only
manifest ''
variant files-only.conf
check 'it starts, for files only' systemctl start settled.service
check 'as the user settled' is settled user_of
check 'and writes the file' is '# port 8080' cat /etc/nginx/conf.d/shop.conf
port 8081
check 'an edit is applied' within 5 is '# port 8081' cat /etc/nginx/conf.d/shop.conf
check 'root may reload it' systemctl reload settled.service
check 'it is settled' settlectl status
manifest '' /etc/elsewhere
check 'a file that it may not write is refused' is 1 exit_status settlectl reload
check 'with the directory that has to be allowed' prints 'ReadWritePaths' settlectl reload
systemctl stop settled.service

# --- with units
manifest 'reload: nginx.service'
variant files-and-units.conf
mkdir -p /etc/polkit-1/rules.d
cp /usr/share/doc/settled/examples/50-settled.rules /etc/polkit-1/rules.d/
systemctl restart polkit.service
systemctl start nginx.service other.service
: >/run/reloads
check 'it starts, with units' systemctl start settled.service
check 'as the user settled' is settled user_of
port 8082
check 'an edit is applied' within 5 is '# port 8082' cat /etc/nginx/conf.d/shop.conf
check 'and the unit that the rule names is reloaded' within 5 grep -q reload /run/reloads
check 'it is settled' within 5 settlectl status
manifest 'reload: other.service'
port 8083
check 'a unit that it does not name is refused' is 1 exit_status settlectl reload
check 'with the reason' prints 'polkit' settlectl reload
check 'and was not touched' fails test -e /run/other
check 'the file was put back' is '# port 8082' cat /etc/nginx/conf.d/shop.conf
before=$(property nginx.service MainPID)
check 'to stop what it may reload is not allowed' fails setpriv --reuid=settled --regid=settled \
  --clear-groups systemctl --no-ask-password stop nginx.service
check 'so that it runs on' is "$before" property nginx.service MainPID
