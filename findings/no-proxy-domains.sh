#!/usr/bin/env bash
# undici 7.30.2 and proxy-from-env 2.1.0, which axios 1.21.1 uses: one NO_PROXY sends fetch and axios of the same program different ways.
#
# Behaviour: undici's EnvHttpProxyAgent drops the dot or star before a domain, and matches the domain and everything below it.
#   proxy-from-env matches a domain without a dot exactly, and one with a dot only below it. Both ignore networks such as 127.0.0.0/8 without
#   a word, although curl 7.88 knows them.
# Wrong guess: libraries of Node read this variable alike, and a network that curl goes to directly is direct for them too.
# Seen (what goes past the proxy):
#   NO_PROXY=files.test          http://files.test/    undici: direct  proxy-from-env: direct
#   NO_PROXY=files.test          http://a.files.test/  undici: direct  proxy-from-env: proxy
#   NO_PROXY=.files.test         http://files.test/    undici: direct  proxy-from-env: proxy
#   NO_PROXY=.files.test         http://a.files.test/  undici: direct  proxy-from-env: direct
#   NO_PROXY=*.files.test        http://files.test/    undici: direct  proxy-from-env: proxy
#   NO_PROXY=127.0.0.1           http://127.0.0.1/     undici: direct  proxy-from-env: direct
#   NO_PROXY=127.0.0.0/8         http://127.0.0.1/     undici: proxy   proxy-from-env: proxy
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error undici@7.30.2 proxy-from-env@2.1.0 axios@1.21.1 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import { getProxyForUrl } from "proxy-from-env";
import { EnvHttpProxyAgent, fetch } from "undici";

/** Refuses each connection, and counts them. Names of .test exist nowhere else. */
let asked = 0;
const server = createServer();
server.on("connect", (_, socket) => (asked++, socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const proxy = `http://127.0.0.1:${server.address().port}`;
// Nothing listens there after this.
const closed = createServer();
await new Promise((resolve) => closed.listen(0, "127.0.0.1", resolve));
const { port } = closed.address();
closed.close();

for (const [noProxy, host] of [
  ["files.test", "files.test"],
  ["files.test", "a.files.test"],
  [".files.test", "files.test"],
  [".files.test", "a.files.test"],
  ["*.files.test", "files.test"],
  ["127.0.0.1", "127.0.0.1"],
  ["127.0.0.0/8", "127.0.0.1"],
]) {
  const url = `http://${host}:${port}/`;
  asked = 0;
  const dispatcher = new EnvHttpProxyAgent({ httpProxy: proxy, httpsProxy: proxy, noProxy });
  await fetch(url, { dispatcher, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  Object.assign(process.env, { http_proxy: proxy, no_proxy: noProxy });
  const way = (isProxy) => (isProxy ? "proxy" : "direct").padEnd(6);
  console.log(
    `NO_PROXY=${noProxy.padEnd(19)} ${`http://${host}/`.padEnd(21)} undici: ${way(asked > 0)}  proxy-from-env: ${way(getProxyForUrl(url) !== "").trim()}`,
  );
}
server.close();
process.exit(0);
JS
unset HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy npm_config_proxy npm_config_no_proxy 2>/dev/null
seen=$(timeout 60 node look.mjs) || exit 2
echo "$seen"
wanted="NO_PROXY=files.test          http://files.test/    undici: direct  proxy-from-env: direct
NO_PROXY=files.test          http://a.files.test/  undici: direct  proxy-from-env: proxy
NO_PROXY=.files.test         http://files.test/    undici: direct  proxy-from-env: proxy
NO_PROXY=.files.test         http://a.files.test/  undici: direct  proxy-from-env: direct
NO_PROXY=*.files.test        http://files.test/    undici: direct  proxy-from-env: proxy
NO_PROXY=127.0.0.1           http://127.0.0.1/     undici: direct  proxy-from-env: direct
NO_PROXY=127.0.0.0/8         http://127.0.0.1/     undici: proxy   proxy-from-env: proxy"
[ "$seen" = "$wanted" ] || exit 1
