import { createReadStream, statSync } from "node:fs";
import axios from "axios";

const [path, url, ...rest] = process.argv.slice(2);
const headers = { "Content-Length": statSync(path).size };
for (let i = 0; i < rest.length; i += 2) headers[rest[i]] = rest[i + 1];

// With redirects, axios keeps a copy of the whole body in memory.
const answer = await axios.put(url, createReadStream(path), {
  headers,
  maxRedirects: 0,
  maxBodyLength: Infinity,
  timeout: 300_000,
  validateStatus: () => true,
});
if (answer.status !== 200) throw new Error(`${answer.status} ${answer.data}`);
