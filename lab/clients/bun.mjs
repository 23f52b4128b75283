const [path, url, ...rest] = process.argv.slice(2);
const headers = {};
for (let i = 0; i < rest.length; i += 2) headers[rest[i]] = rest[i + 1];

const body = Bun.file(path);
const answer = await fetch(url, { method: "PUT", headers, body, signal: AbortSignal.timeout(300_000) });
if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
