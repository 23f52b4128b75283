import { createReadStream, statSync } from "node:fs";
import { request } from "node:http"; // for an https URL: node:https
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

const [path, url, ...rest] = process.argv.slice(2);
const headers = { "Content-Length": statSync(path).size };
for (let i = 0; i < rest.length; i += 2) headers[rest[i]] = rest[i + 1];

const put = request(url, { method: "PUT", headers, timeout: 60_000 });
put.on("timeout", () => put.destroy(new Error("storage did not answer")));
const answered = new Promise((resolve, reject) => put.on("response", resolve).on("error", reject));
const [answer] = await Promise.all([answered, pipeline(createReadStream(path), put)]);
const says = await text(answer); // an answer that is not read keeps the connection open
if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${says}`);
