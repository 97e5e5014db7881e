#!/bin/bash
# A secret under systemd: it reaches the file that asks for it, and nothing that others read.
. /system-tests/checks.sh

canary=zq9Canary7c1f
mkdir -p /etc/settled /etc/shop
printf '%s\n' "$canary" >/etc/db-password
chmod 600 /etc/db-password
cat >/etc/settled/settled.yaml <<'END'
layers:
  - shop.yaml
  - secret: {credential: db-password}
    at: db.password
  - secret: {file: /etc/token}
    at: token
derived:
  url: '"db://shop:" + db.password'
targets:
  database: {file: /etc/shop/db.conf, content: "{{ url }}\n"}
  follower: {follows: token, run: [sh, -c, 'cat "$0" /etc/token; exit "$(cat /run/end)"', /etc/shop/db.conf], required: false}
END
echo 'name: shop' >/etc/settled/shop.yaml
echo "$canary-token" >/etc/token
chmod 600 /etc/token
echo 0 >/run/end
mkdir -p /etc/systemd/system/settled.service.d
printf '[Service]\nLoadCredential=db-password:/etc/db-password\n' \
  >/etc/systemd/system/settled.service.d/secrets.conf
systemctl daemon-reload
check 'it starts on a credential' systemctl start settled.service
check 'which is in its file' is "db://shop:$canary" cat /etc/shop/db.conf
check 'that only root can read' is 600 stat -c %a /etc/shop/db.conf
said=/run/said
ask() { settlectl "$@" >>$said 2>&1; }
# everything LABEL: all that can be asked, in every form.
everything() {
  for form in text json yaml; do
    for verb in status show history plan wait; do ask $verb -o $form; done
    for path in db db.password token url settings name; do
      ask get $path -o $form; ask explain $path -o $form; ask eval "$path" -o $form
    done
    for target in database follower; do ask explain --target $target -o $form; ask apply $target -o $form; done
  done
  ask graph; ask metrics
  ask eval 'db.password + 1'; ask eval '{"a": 1}[token]'; ask eval 'int(token)'
  systemctl status --no-pager --full settled.service >>$said 2>&1
  systemctl show settled.service >>$said 2>&1
}
everything
echo 1 >/run/end
echo "$canary-other" >/etc/token
systemctl reload settled.service
everything
echo 'name: [' >/etc/settled/shop.yaml
fails systemctl reload settled.service 2>/dev/null
everything
sed -i 's/^derived:/derived:\n  bad: int(db.password)/' /etc/settled/settled.yaml
echo 'name: shop' >/etc/settled/shop.yaml
fails systemctl reload settled.service 2>/dev/null
everything
systemctl restart settled.service
everything
check 'much was said' sh -c "[ \$(wc -l <$said) -gt 300 ]"
check 'and the secret is not in it' fails grep -a "$canary" $said
exported() { journalctl --sync 2>/dev/null; journalctl -o export; }
check 'the journal tells of the failures' sh -c "journalctl -o export -u settled.service | grep -aq 'follower'"
journal_tells() { exported | grep -a "$canary"; }
check 'and has the secret in no field' fails journal_tells
check 'nor has the state directory' fails grep -ra "$canary" /var/lib/settled
check 'nor what others see of the process' fails grep -a "$canary" \
  "/proc/$(property settled.service MainPID)/cmdline" "/proc/$(property settled.service MainPID)/environ"
check 'a message has its kind, generation and target as fields' sh -c \
  "journalctl -u settled.service -o export | grep -aq '^SETTLED_GENERATION=1' &&
   journalctl -u settled.service -o export | grep -aq '^SETTLED_TARGET=database' &&
   journalctl -u settled.service -o export | grep -aq '^MESSAGE_ID=8a1d6c5e2f074b0b9d3e71c450a8e6f2' &&
   journalctl -u settled.service -o export | grep -aq '^_TRANSPORT=journal'"
check 'its priority' sh -c "journalctl -u settled.service -p err -o cat | grep -q 'refused, keeping generation'"
check 'and no time of its own, which the journal has' fails sh -c \
  "journalctl -u settled.service -t settled -o cat | grep -E '^[^ ]*(20[0-9]{2}-|[0-9]{2}:[0-9]{2}:[0-9]{2})'"
