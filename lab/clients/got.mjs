import { createReadStream, statSync } from "node:fs";
import got from "got";

const [path, url, ...rest] = process.argv.slice(2);
const headers = { "content-length": String(statSync(path).size) };
for (let i = 0; i < rest.length; i += 2) headers[rest[i].toLowerCase()] = rest[i + 1];

const answer = await got.put(url, {
  headers,
  body: createReadStream(path),
  throwHttpErrors: false,
  retry: { limit: 0 }, // a stream can be sent once
  timeout: { request: 300_000 },
});
if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
