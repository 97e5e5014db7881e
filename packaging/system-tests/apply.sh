#!/bin/bash
# What is applied to real services, nginx and haproxy: checked, verified, rolled back, tried again.
. /system-tests/checks.sh

rm -f /etc/nginx/sites-enabled/default
mkdir -p /etc/systemd/system/nginx.service.d /etc/settled
# Counts its reloads, and fails them when told to.
cat >/etc/systemd/system/nginx.service.d/test.conf <<'END'
[Service]
ExecReload=
ExecReload=/bin/sh -c 'echo reload >>/run/reloads; ! test -e /run/refuse'
ExecReload=/usr/sbin/nginx -g 'daemon on; master_process on;' -s reload
END
unit down.service '[Service]' 'ExecStart=/bin/sleep infinity'
systemctl daemon-reload

cat >/etc/settled/settled.yaml <<'END'
layers: [shop.yaml]
targets:
  site:
    file: /etc/nginx/conf.d/shop.conf
    template: site.tmpl
    verify: [nginx, -t]
    reload: nginx.service
  vhost:
    each: vhosts
    as: vhost
    file: /etc/nginx/conf.d/vhost-{{ vhost.key }}.conf
    content: |
      server { listen 127.0.0.1:{{ vhost.value }}; return 200 "{{ vhost.key }}"; }
    reload: nginx.service
  certificate:
    file: /etc/nginx/tls/shop.crt
    make_directories: true
    content: "{{ tls.certificate }}"
    verify: [nginx, -t]
    reload: nginx.service
  key:
    file: /etc/nginx/tls/shop.key
    make_directories: true
    mode: "0600"
    content: "{{ tls.key }}"
    verify: [nginx, -t]
    reload: nginx.service
  balancer:
    file: /etc/haproxy/haproxy.cfg
    template: haproxy.tmpl
    check: [haproxy, -c, -f, "{{ staged }}"]
    reload: haproxy.service
  down:
    file: /etc/down.conf
    content: "page {{ page }}\n"
    reload: down.service
END
template() {
  cat >/etc/settled/site.tmpl <<END
server { listen 127.0.0.1:80; return 200 "{{ page }}"; $1 }
server {
  listen 127.0.0.1:443 ssl;
  ssl_certificate /etc/nginx/tls/shop.crt;
  ssl_certificate_key /etc/nginx/tls/shop.key;
}
END
}
cat >/etc/settled/haproxy.tmpl <<'END'
defaults
  mode http
  timeout client 5s
  timeout connect 5s
  timeout server 5s
listen shop
  bind 127.0.0.1:8000
  server nginx 127.0.0.1:80 {{ balancer }}
END
for pair in one two; do
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 9 -subj "/CN=$pair" \
    -keyout /run/$pair.key -out /run/$pair.crt 2>/dev/null
done
page=first vhosts='{}' pair=one balancer=check
settings() {
  printf 'page: %s\nvhosts: %s\nbalancer: %s\n' "$page" "$vhosts" "$balancer"
  printf 'tls:\n  certificate: |\n%s\n  key: |\n%s\n' \
    "$(sed 's/^/    /' /run/$pair.crt)" "$(sed 's/^/    /' /run/$pair.key)"
}
# set_to NAME=VALUE...: new settings, on the disk in one step.
set_to() {
  local assignment
  for assignment; do declare -g "$assignment"; done
  settings >/etc/settled/.shop.new
  mv /etc/settled/.shop.new /etc/settled/shop.yaml
}

get() { (exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET / HTTP/1.0\r\n\r\n' >&3 && sed '1,/^\r$/d' <&3) 2>&1; }
served() { openssl s_client -connect 127.0.0.1:443 </dev/null 2>/dev/null | sed -n 's/^subject=CN *= *//p'; }
reloads() { wc -l </run/reloads; }
# All files, without those that a new try stages at this moment.
files() { find /etc/nginx /etc/haproxy /etc/down.conf -type f ! -name '.settled-*' -exec md5sum {} + | sort; }
strays() { find /etc /var/lib/settled -name '.settled-*' -o -name journal.json; }
journal_has() { journalctl -u settled.service -o cat | grep -q -- "$1"; }
# refused PLACE: a reload fails, says where, and leaves all files as they were at $kept.
refused() { is 1 exit_status settlectl reload && prints "$1" settlectl status && within 5 is "$kept" files; }

template ''
set_to page=first
: >/run/reloads
check 'it starts before the services' systemctl start settled.service
check 'and starts none of them' is inactive property nginx.service ActiveState
check 'nginx starts on its files' systemctl start nginx.service
check 'haproxy starts on its files' systemctl start haproxy.service
check 'the page is served' within 5 is first get 80
check 'through haproxy too' within 5 is first get 8000
check 'with the certificate' is one served

# --- what is wrong never reaches nginx
kept=$(files)
template '{{ missing }}'
check 'a template error is refused, and says where' refused 'site.tmpl:1:[0-9]'
template 'nonsense on;'
set_to page=broken
check 'a configuration that nginx refuses is put back, and says where' refused 'settled.yaml:[0-9]'
check 'with what nginx said' prints 'unknown directive' settlectl status
check 'nginx was not reloaded for it' is 0 reloads
check 'the old page is served' is first get 80
set_to page=second
template ''
check 'the repair is applied' settlectl reload
check 'with one reload' is 1 reloads
check 'and served' within 5 is second get 80

# --- a reload that fails
kept=$(files)
touch /run/refuse
set_to page=third
check 'a failing reload is refused, and puts the files back' refused 'settled.yaml:[0-9]'
check 'the old page is served' is second get 80
check 'nginx is active' is active property nginx.service ActiveState
rm /run/refuse
check 'the daemon tries again by itself' within 40 is third get 80
check 'and is settled then' within 10 settlectl status

# --- files that share one reload
: >/run/reloads
set_to vhosts='{shop: 8081, blog: 8082}'
check 'vhosts are made' settlectl reload
check 'with one reload' is 1 reloads
check 'the first is served' within 5 is shop get 8081
check 'the second is served' within 5 is blog get 8082
set_to vhosts='{wiki: 8083, blog: 8082}'
check 'one goes, one comes' settlectl reload
check 'with one reload' is 2 reloads
check 'the new one is served' within 5 is wiki get 8083
check 'the old one is not' fails test -e /etc/nginx/conf.d/vhost-shop.conf
check 'nor by nginx' within 5 fails is shop get 8081
set_to vhosts='{}'
check 'all go' settlectl reload
check 'with one reload' is 3 reloads
check 'nginx serves none of them' within 5 prints refused get 8082

set_to pair=two
check 'certificate and key change together' settlectl reload
check 'with one reload' is 4 reloads
check 'after both are in place' within 5 is two served
check 'the key is for its owner only' is 600 stat -c %a /etc/nginx/tls/shop.key

# --- a unit that does not run
check 'the file of a unit that does not run is written' is 'page third' cat /etc/down.conf
check 'the unit is not started' is inactive property down.service ActiveState
check 'the journal says that it was passed over' journal_has 'down.service.*inactive'

# --- a check before the swap
kept=$(files) before=$(stat -c '%i %Z' /etc/haproxy/haproxy.cfg)
set_to balancer=nonsense page=fourth
check 'haproxy refuses a bad file, and says where' refused 'settled.yaml:[0-9]'
check 'with what haproxy said' prints 'nonsense' settlectl status
check 'its file was not touched' is "$before" stat -c '%i %Z' /etc/haproxy/haproxy.cfg
check 'nor was any other' is third get 80
set_to balancer=check
check 'the repair is applied' settlectl reload
check 'and served through haproxy' within 5 is fourth get 8000

check 'nothing of all that is left over' is '' strays
