import { openAsBlob } from "node:fs";

const [path, url, ...rest] = process.argv.slice(2);
const headers = {};
for (let i = 0; i < rest.length; i += 2) headers[rest[i]] = rest[i + 1];

// A Blob has a length, and its bytes stay on the disk. A stream would be sent in chunks.
const body = await openAsBlob(path);
const answer = await fetch(url, { method: "PUT", headers, body, signal: AbortSignal.timeout(300_000) });
if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
