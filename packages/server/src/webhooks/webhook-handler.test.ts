import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { aFileEvent, aSecret, signed } from "../../test/a-webhook.js";
import { hosts, hostsWithUnreadBody } from "../../test/hosts.js";
import { webhookHandler, type WebhookCallbacks } from "./webhook-handler.js";

const secret = aSecret();
const body = JSON.stringify(aFileEvent());

function aReceiver(on: WebhookCallbacks) {
  const reported: Error[] = [];
  const { handler } = webhookHandler({ secret, on, onError: (error) => reported.push(error) });
  return { handler, reported };
}

/** Sends a webhook as the service does. */
const send = (url: string, webhook: { headers: object; body: string }) =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...webhook.headers },
    body: webhook.body,
  });

describe.each(hosts)("on %s", (_name, host) => {
  test("passes a verified event to the function of its type, at the mount and below it", async () => {
    const received: unknown[] = [];
    const receiver = aReceiver({ "file.stored": (event) => received.push([event.id, event.data.filename]) });
    await using app = await host(receiver);
    for (const path of ["", "/", "/stowage", "/stowage/"]) {
      const response = await send(`${app.url}${path}`, signed(body, secret, { id: `evt${path}` }));
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      expect(response.headers.get("Content-Length")).toBeNull();
    }
    const { filename } = aFileEvent().data;
    expect(received).toEqual(["evt", "evt/", "evt/stowage", "evt/stowage/"].map((id) => [id, filename]));
  });

  test("refuses a changed body, another secret and an old webhook, and calls no function", async () => {
    const receiver = aReceiver({ "file.stored": () => expect.unreachable("the event is false") });
    await using app = await host(receiver);
    const { headers } = signed(body, secret);
    const code = async (webhook: Parameters<typeof send>[1]) => {
      const response = await send(app.url, webhook);
      return `${response.status} ${((await response.json()) as { code: string }).code}`;
    };
    const changed = body.replace("user_1", "user_2");
    expect(await code({ headers, body: changed })).toBe("400 signature_mismatch");
    expect(await code(signed(body, aSecret()))).toBe("400 signature_mismatch");
    expect(await code(signed(body, secret, { at: new Date(0) }))).toBe("400 timestamp_too_old");
    expect(await code({ headers: {}, body })).toBe("400 invalid_header");
    expect(receiver.reported).toEqual([]);
  });
});

describe.each(hostsWithUnreadBody)("on %s", (_name, host) => {
  test("accepts a body in chunks, and reads no more than 256 KiB of one without an end", async () => {
    let count = 0;
    await using app = await host(aReceiver({ "file.stored": () => ++count }));
    const half = Math.floor(body.length / 2);
    const { headers } = signed(body, secret);
    expect(await sendChunks(app.url, headers, [body.slice(0, half), body.slice(half)])).toBe(204);
    expect(count).toBe(1);
    const chunks = Array.from({ length: 5 }, () => "x".repeat(65_536));
    expect(await sendChunks(app.url, headers, chunks)).toBe(413);
    expect(count).toBe(1);
  });
});

/** Sends a body without a Content-Length. Returns the status of the response. */
function sendChunks(url: string, headers: object, chunks: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", headers: { ...headers }, agent: false });
    request.on("response", (response) => resolve(response.resume().statusCode ?? 0));
    request.on("error", reject);
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });
}

const asRequest = (webhook: { headers: object; body: string }, method = "POST") =>
  new Request("https://app.example/webhooks", {
    method,
    headers: { ...webhook.headers },
    ...(method === "POST" ? { body: webhook.body } : {}),
  });

test("answers 500 without the reason if the function throws or rejects, and reports it", async () => {
  const failing: WebhookCallbacks["file.stored"][] = [
    () => {
      throw new Error("database at 10.0.0.1 is down");
    },
    async () => Promise.reject(new Error("database at 10.0.0.1 is down")),
  ];
  for (const callback of failing) {
    const { handler, reported } = aReceiver({ "file.stored": callback });
    const response = await handler(asRequest(signed(body, secret)));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ detail: "Internal error", code: "internal_error" });
    expect(reported.map(({ message }) => message)).toEqual(['on["file.stored"] threw an error']);
    expect(String(reported[0]?.cause)).toContain("10.0.0.1");
  }
});

test("accepts and ignores events without a function, and types that it does not know", async () => {
  const { handler, reported } = aReceiver({});
  for (const type of ["file.stored", "file.moved", "constructor"]) {
    const text = JSON.stringify({ ...aFileEvent(), type });
    expect((await handler(asRequest(signed(text, secret)))).status).toBe(204);
  }
  expect(reported).toEqual([]);
});

test("waits for the function before it answers", async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => void (release = resolve));
  const { handler } = aReceiver({ "file.stored": () => gate });
  const answer = handler(asRequest(signed(body, secret)));
  expect(await Promise.race([answer, new Promise((resolve) => setImmediate(resolve, "waiting"))])).toBe(
    "waiting",
  );
  release();
  expect((await answer).status).toBe(204);
});

test("answers other methods with 405", async () => {
  const response = await aReceiver({}).handler(asRequest(signed(body, secret), "GET"));
  expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
});

test("reports a body that a middleware has read, because every webhook would be refused", async () => {
  const { handler, reported } = aReceiver({});
  const request = asRequest(signed(body, secret));
  await request.text();
  expect((await handler(request)).status).toBe(500);
  expect(String(reported[0]?.cause)).toContain("was read before");
});

test("is not created without a secret", () => {
  expect(() => webhookHandler({ secret: undefined, on: {} })).toThrow("secret is missing");
});
