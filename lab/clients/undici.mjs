import { createReadStream, statSync } from "node:fs";
import { request } from "undici";

const [path, url, ...rest] = process.argv.slice(2);
const headers = { "content-length": String(statSync(path).size) };
for (let i = 0; i < rest.length; i += 2) headers[rest[i]] = rest[i + 1];

const answer = await request(url, { method: "PUT", headers, body: createReadStream(path) });
if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`);
