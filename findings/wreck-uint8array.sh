#!/usr/bin/env bash
# @hapi/wreck 18.1.2: a Uint8Array, an ArrayBuffer or a Blob as the payload is sent as JSON, without an error.
#
# Behaviour: `wreck.put(url, { payload: new Uint8Array([104, 105]) })` sends the text {"0":104,"1":105}, an ArrayBuffer and a Blob become {}.
#   Content-Length fits the wrong text, and the server answers 200. Only a Buffer, a string and a stream are sent as they are.
# Wrong guess: binary types of JavaScript are bytes, as in fetch, axios, got and Node's http; or the client throws, as got does for a Blob.
# Seen:
#   Buffer: hi
#   Uint8Array: {"0":104,"1":105}
#   ArrayBuffer: {}
#   Blob: {}
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error @hapi/wreck@18.1.2 >/dev/null || exit 2
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import wreck from "@hapi/wreck";

const server = createServer(async (request, response) => response.end(await text(request)));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const bytes = new Uint8Array([104, 105]);
for (const payload of [Buffer.from(bytes), bytes, bytes.buffer, new Blob([bytes])]) {
  const answer = await wreck.put(url, { payload, timeout: 10_000 });
  console.log(`${payload.constructor.name}: ${answer.payload}`);
}
server.close();
JS
seen=$(timeout 60 node look.mjs) || exit 2
echo "$seen"
wanted='Buffer: hi
Uint8Array: {"0":104,"1":105}
ArrayBuffer: {}
Blob: {}'
[ "$seen" = "$wanted" ] || exit 1
