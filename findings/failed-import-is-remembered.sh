#!/usr/bin/env bash
# Chromium 153: a module that could not be fetched once cannot be imported again before the page is left.
#
# Behaviour: `import("/code.js")` fails while the server does not answer. After the server is back, the same call fails again, without a
#   request. At another address (`/code.js?again=1`) it works. Debian's Firefox ESR 153.8 does the same. Chromium 156 asks the server again.
#   The loaders of webpack and Turbopack (next 16.4.6) load a lost chunk again in both versions of Chromium.
# Wrong guess: code that is loaded on demand can be loaded later if it cannot be loaded now.
# Seen:
#   server away: Failed to fetch dynamically imported module
#   server back: Failed to fetch dynamically imported module
#   at another address: loaded
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error @sparticuz/chromium@153.0.0 playwright-core@1.65.1 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import packaged from "@sparticuz/chromium";
import { chromium } from "playwright-core";

let isAway = true;
const server = createServer((request, response) => {
  if (!request.url.startsWith("/code.js")) return response.setHeader("Content-Type", "text/html").end("<!doctype html>");
  if (isAway) return request.socket.destroy();
  response.setHeader("Content-Type", "text/javascript").end("export const code = 1;");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const args = ["--headless=shell", "--no-sandbox", "--disable-gpu"];
const browser = await chromium.launch({ executablePath: await packaged.executablePath(), args, timeout: 60_000 });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const attempt = (address) =>
    page.evaluate((url) => import(url).then(() => "loaded", (error) => error.message.split(": ")[0]), address);
  console.log(`server away: ${await attempt("/code.js")}`);
  isAway = false;
  console.log(`server back: ${await attempt("/code.js")}`);
  console.log(`at another address: ${await attempt("/code.js?again=1")}`);
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
JS
expected="server away: Failed to fetch dynamically imported module
server back: Failed to fetch dynamically imported module
at another address: loaded"
seen=$(timeout 120 node look.mjs) || exit 2
echo "$seen"
[ "$seen" = "$expected" ]
