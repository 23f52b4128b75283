const [path, url, ...rest] = Deno.args;
const headers = new Headers();
for (let i = 0; i < rest.length; i += 2) headers.set(rest[i]!, rest[i + 1]!);

// Bytes have a length. Deno sends a stream in chunks, and drops a Content-Length that you set.
const body = await Deno.readFile(path);
const answer = await fetch(url, { method: "PUT", headers, body, signal: AbortSignal.timeout(300_000) });
if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
