#!/bin/bash
# The Debian package as an administrator has it: installed, used, upgraded, removed, purged.
. /system-tests/checks.sh
rm -f /usr/sbin/settled /usr/bin/settlectl /usr/lib/systemd/system/settled.service \
  /usr/lib/sysusers.d/settled.conf /usr/lib/tmpfiles.d/settled.conf
systemctl daemon-reload
export DEBIAN_FRONTEND=noninteractive
main() { property settled.service MainPID; }
first=$(echo /packages/settled_*.deb)

check 'it installs' dpkg -i "$first"
check 'its unit is there' systemctl cat settled.service
check 'it is not started' is inactive property settled.service ActiveState
check 'its group is there' getent group settled
check 'the journal can explain its messages' prints settled journalctl --list-catalog
for page in man8/settled.8 man1/settlectl.1 man5/settled.yaml.5; do
  check "the manual has ${page#*/}" sh -c "gzip -dc /usr/share/man/$page.gz | grep -q '^.SH NAME'"
done
completion=/usr/share/bash-completion/completions/settlectl
check 'bash completes its verbs' is reload bash -c \
  ". $completion; COMP_WORDS=(settlectl relo) COMP_CWORD=1; _settlectl; echo \${COMPREPLY[*]}"
check 'zsh finds its completion' grep -q '^#compdef settlectl' /usr/share/zsh/vendor-completions/_settlectl
check 'and so does fish' grep -q '^complete -c settlectl' /usr/share/fish/vendor_completions.d/settlectl.fish
check 'the settings it ships are good' settlectl check
check 'there is a place for drop-ins' test -d /etc/settled/settings.d
check 'without the daemon the tool says what to do' prints "'systemctl start settled'" settlectl
check 'it can be enabled and started' systemctl enable --now settled.service
check 'it is settled' settlectl status

cat >/etc/settled/settled.yaml <<'END'
layers: [settings.yaml]
targets:
  site: {file: /etc/site.conf, content: "port {{ http.port }}\n"}
END
check 'an edit of the manifest is applied' within 5 is 'port 8080' cat /etc/site.conf

# The same programs as a later version.
dpkg-deb -R "$first" /tmp/next
sed -i 's/^Version: .*/&+next/' /tmp/next/DEBIAN/control
dpkg-deb -Znone -b /tmp/next /tmp/next.deb >/dev/null
before=$(main)
check 'an upgrade works' dpkg -i --force-confdef --force-confold /tmp/next.deb
check 'it restarts the daemon' restarted_since "$before"
check 'which is active' within 5 is active property settled.service ActiveState
check 'the settings are still those of the administrator' grep -q http.port /etc/settled/settled.yaml

printf 'http: [\n' >/etc/settled/settings.yaml
before=$(main)
check 'an upgrade over broken settings works' dpkg -i --force-confdef --force-confold /tmp/next.deb
check 'it runs on the last good generation' within 5 is active property settled.service ActiveState
check 'as another process' restarted_since "$before"
check 'and says so' is 1 exit_status settlectl status
check 'the file stays' is 'port 8080' cat /etc/site.conf

check 'it can be removed' dpkg -r settled
check 'it does not run any more' is inactive property settled.service ActiveState
check 'the settings stay' test -e /etc/settled/settings.yaml
check 'it can be purged' dpkg -P settled
check 'nothing of its own is left' fails test -e /etc/settled/settled.yaml -o -e /var/lib/settled
check 'what it wrote for others is' is 'port 8080' cat /etc/site.conf
