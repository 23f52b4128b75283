// Runs on Node, Bun and Deno, beside the installed packages: uses each as a customer's server does. Prints a line for each row.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { createHttpTransport } from "@stowage/client";
import { StowageError, uploadRequest } from "@stowage/schemas";
import { parseSize } from "@stowage/schemas/rules";
import { createStowage } from "@stowage/server";
import { createStowageClient } from "@stowage/server/client";
import { toNodeHandler } from "@stowage/server/node";
import { verifyWebhook } from "@stowage/server/webhooks";

const { STOWAGE_API_KEY: apiKey, STOWAGE_URL: baseUrl } = process.env;
const timeout = () => ({ signal: AbortSignal.timeout(30_000) });
const text = new TextEncoder().encode("hello, Grüße");

function assert(condition, message) {
  if (!condition) throw new Error(message);
}

const stowage = createStowage({
  apiKey,
  baseUrl,
  tenant: () => "user_1",
  allowList: true,
  allowDownload: true,
  routes: { document: { maxSize: "1MB", onComplete: ({ file }) => ({ size: file.size }) } },
});

/** Serves a Web handler in the way that the runtime recommends. */
async function serve(handler) {
  if (globalThis.Bun !== undefined) {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handler });
    return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
  }
  if (globalThis.Deno !== undefined) {
    const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
    return { url: `http://127.0.0.1:${server.addr.port}`, stop: () => server.shutdown() };
  }
  return serveNode();
}

async function serveNode() {
  const server = createServer(toNodeHandler(stowage));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Does what the widget does, over the transport of the client. */
async function uploadOver(url) {
  const transport = createHttpTransport({ endpoint: `${url}/api/stowage` });
  const file = { filename: "a.txt", content_type: "text/plain", size: text.length, route: "document" };
  const ticket = await transport.request(file, timeout().signal);
  const put = await fetch(ticket.presigned_url, {
    method: "PUT",
    headers: ticket.headers,
    body: text,
    ...timeout(),
  });
  assert(put.ok, `PUT: ${put.status}`);
  const completed = await transport.complete({ file_path: ticket.file_path }, timeout().signal);
  assert(completed.size === text.length, JSON.stringify(completed));
  return ticket.file_path;
}

const rows = {
  schemas() {
    assert(uploadRequest.in.safeParse({ tenant_id: "a", filename: "a.txt" }).success, "refused a request");
    assert(!uploadRequest.in.safeParse({ tenant_id: 7 }).success, "took a wrong request");
    assert(parseSize("4MB") === 4_000_000, "4MB");
  },
  async helper() {
    for (const start of [() => serve((request) => stowage.handler(request)), serveNode]) {
      const server = await start();
      try {
        const body = { filename: "a.txt", size: text.length, route: "document" };
        const headers = { "Content-Type": "application/json" };
        const post = (action, sent) =>
          fetch(`${server.url}/api/stowage/${action}`, {
            method: "POST",
            headers,
            body: JSON.stringify(sent),
            ...timeout(),
          });
        const ticket = await (await post("request", body)).json();
        const put = await fetch(ticket.presigned_url, {
          method: "PUT",
          headers: ticket.headers,
          body: text,
          ...timeout(),
        });
        assert(put.ok, `PUT: ${put.status} ${await put.text()}`);
        const completed = await (await post("complete", { file_path: ticket.file_path })).json();
        assert(completed.result?.size === text.length, JSON.stringify(completed));
        const refused = await post("request", { ...body, size: 2_000_000 });
        assert(refused.status >= 400, `took a file that is too large: ${refused.status}`);
        const query = `file_path=${encodeURIComponent(ticket.file_path)}`;
        const download = await fetch(`${server.url}/api/stowage/download?${query}`, timeout());
        assert((await download.text()) === "hello, Grüße", `download: ${download.status}`);
      } finally {
        await server.stop();
      }
    }
  },
  async "helper's client"() {
    const files = createStowageClient({ apiKey, baseUrl });
    const named = { tenantId: "sources", filename: "a.txt" };
    const sources = [
      { ...named, file: text },
      { ...named, file: new Blob([text]) },
      { ...named, file: new Blob([text]).stream(), size: text.length },
      // By parts, from a path.
      { tenantId: "sources", file: "files/large.bin", multipartFrom: "5MiB", partSize: "5MiB" },
    ];
    for (const source of sources) {
      const stored = await files.upload(source);
      assert(stored.status === "stored", JSON.stringify(stored));
    }
    const missing = await files.file("projects/none").catch((error) => error);
    assert(missing instanceof StowageError || missing instanceof Error, "found a file that is not there");
  },
  async client() {
    const server = await serve((request) => stowage.handler(request));
    try {
      await uploadOver(server.url);
    } finally {
      await server.stop();
    }
  },
  async webhooks() {
    const key = new Uint8Array(32).fill(7);
    const secret = `whsec_${Buffer.from(key).toString("base64")}`;
    const sent = new Date();
    const body = JSON.stringify({
      type: "webhook.test",
      timestamp: sent.toISOString(),
      data: { endpoint_id: "we_1" },
    });
    const seconds = Math.floor(sent.getTime() / 1000);
    const signature = createHmac("sha256", key).update(`msg_1.${seconds}.${body}`).digest("base64");
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": `${seconds}`,
      "webhook-signature": `v1,${signature}`,
    };
    const address = "https://app.example.com/webhooks";
    const requestOf = (sentBody) => new Request(address, { method: "POST", headers, body: sentBody });
    const event = await verifyWebhook(requestOf(body), secret);
    assert(event.type === "webhook.test", JSON.stringify(event));
    const raw = await verifyWebhook({ headers, body: new TextEncoder().encode(body) }, secret);
    assert(raw.id === "msg_1", JSON.stringify(raw));
    const refused = await verifyWebhook(requestOf(`${body} `), secret).catch((error) => error.code);
    assert(refused === "signature_mismatch", `a changed body: ${refused}`);
  },
};

for (const [row, check] of Object.entries(rows)) {
  try {
    await check();
    console.log(JSON.stringify({ row }));
  } catch (error) {
    console.log(JSON.stringify({ row, error: String(error?.stack ?? error).slice(0, 2000) }));
  }
}
process.exit(0);
