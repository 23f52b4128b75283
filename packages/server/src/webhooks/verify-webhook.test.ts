import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { aFileEvent, aSecret, signed } from "../../test/a-webhook.js";
import { verifyWebhook } from "./verify-webhook.js";
import type { WebhookErrorCode } from "./webhook-verification-error.js";

const secret = aSecret();
const now = new Date("2026-01-01T00:00:00Z");
const secondsLater = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const body = JSON.stringify(aFileEvent());

/** Resolves with the code of the error that refuses the webhook. */
const refusal = (promise: Promise<unknown>): Promise<WebhookErrorCode> =>
  promise.then(
    () => expect.unreachable("the webhook was accepted"),
    (thrown: { code: WebhookErrorCode }) => thrown.code,
  );

describe("an accepted webhook", () => {
  test("returns the event with its id, and its data in camelCase", async () => {
    const event = await verifyWebhook(signed(body, secret, { id: "evt_1", at: now }), secret, { now });
    const { data, ...wire } = aFileEvent();
    expect(event).toMatchObject({ ...wire, id: "evt_1" });
    if (event.type !== "file.stored") throw new Error("another type");
    expect(event.data.filePath).toBe(data.file_path);
    expect(event.data.projectRef).toBe("p");
    expect(event.data.metadata).toEqual({ own_key: "kept as it is" });
  });

  test.each<[string, (text: string) => string | Uint8Array | ArrayBuffer]>([
    ["text", (text) => text],
    ["a Buffer", (text) => Buffer.from(text)],
    ["bytes", (text) => new TextEncoder().encode(text)],
    ["an ArrayBuffer", (text) => new TextEncoder().encode(text).buffer],
  ])("can have a body that is %s", async (_kind, convert) => {
    const webhook = signed(body, secret);
    const event = await verifyWebhook({ headers: webhook.headers, body: convert(body) }, secret);
    expect(event.type).toBe("file.stored");
  });

  test("can be a Web request, and its headers can be of any kind and case", async () => {
    const { headers } = signed(body, secret);
    const request = new Request("https://app.example/webhooks", { method: "POST", headers, body });
    expect((await verifyWebhook(request, secret)).type).toBe("file.stored");
    const upperCase = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect((await verifyWebhook({ headers: upperCase, body }, secret)).type).toBe("file.stored");
  });

  test("can have several signatures if one matches", async () => {
    const { headers } = signed(body, secret);
    const others = [`v1,${randomBytes(32).toString("base64")}`, "v1a,abc", "v2,abc", "nonsense", "v1,"];
    const signatures = [...others, headers["webhook-signature"]].join(" ");
    const event = await verifyWebhook(
      { headers: { ...headers, "webhook-signature": signatures }, body },
      secret,
    );
    expect(event.type).toBe("file.stored");
  });

  test("can match any of several secrets, and secrets that are not set are left out", async () => {
    const webhook = signed(body, secret);
    expect((await verifyWebhook(webhook, [aSecret(), secret])).type).toBe("file.stored");
    expect((await verifyWebhook(webhook, [undefined, secret, ""])).type).toBe("file.stored");
  });

  test("can be as old, and as far ahead, as the tolerance", async () => {
    const webhook = signed(body, secret, { at: now });
    for (const seconds of [300, -300]) {
      expect((await verifyWebhook(webhook, secret, { now: secondsLater(seconds) })).type).toBe("file.stored");
    }
    const options = { now: secondsLater(3600), toleranceSeconds: 3600 };
    expect((await verifyWebhook(webhook, secret, options)).type).toBe("file.stored");
  });

  test("can have a type that this version does not know", async () => {
    const newer = JSON.stringify({ type: "file.moved", timestamp: "2026-01-01T00:00:00Z", data: {} });
    expect((await verifyWebhook(signed(newer, secret), secret)).type).toBe("file.moved");
  });
});

describe("a refused webhook", () => {
  test("has another secret's signature, or a rotated secret's", async () => {
    expect(await refusal(verifyWebhook(signed(body, secret), aSecret()))).toBe("signature_mismatch");
    expect(await refusal(verifyWebhook(signed(body, secret), [aSecret(), aSecret()]))).toBe(
      "signature_mismatch",
    );
  });

  test("has a changed body, id or timestamp", async () => {
    const { headers } = signed(body, secret, { id: "evt_1", at: now });
    const changed = [
      { headers, body: body.replace("user_1", "user_2") },
      { headers, body: `${body} ` },
      { headers, body: "" },
      { headers: { ...headers, "webhook-id": "evt_2" }, body },
      { headers: { ...headers, "webhook-timestamp": `${Number(headers["webhook-timestamp"]) + 1}` }, body },
    ];
    for (const webhook of changed) {
      expect(await refusal(verifyWebhook(webhook, secret, { now }))).toBe("signature_mismatch");
    }
  });

  test("is too old, or from the future", async () => {
    const webhook = signed(body, secret, { at: now });
    const at = (seconds: number) => refusal(verifyWebhook(webhook, secret, { now: secondsLater(seconds) }));
    expect(await at(301)).toBe("timestamp_too_old");
    expect(await at(-301)).toBe("timestamp_too_new");
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("has no %s", async (name) => {
    const { headers } = signed(body, secret);
    for (const value of [undefined, ""]) {
      const without = { headers: { ...headers, [name]: value }, body };
      expect(await refusal(verifyWebhook(without, secret))).toBe("invalid_header");
    }
  });

  test.each(["", "soon", "1e9", "-5", "1700000000.5", "NaN", "9".repeat(40)])(
    "has the timestamp %j",
    async (timestamp) => {
      const { headers } = signed(body, secret);
      const webhook = { headers: { ...headers, "webhook-timestamp": timestamp }, body };
      expect(await refusal(verifyWebhook(webhook, secret))).toBe("invalid_header");
    },
  );

  test("has only signatures of other versions, or too many ones before the right one", async () => {
    const { headers } = signed(body, secret);
    const right = headers["webhook-signature"];
    const wrong = `v1,${randomBytes(32).toString("base64")}`;
    for (const signature of [right.replace("v1,", "v2,"), [...Array(10).fill(wrong), right].join(" ")]) {
      const webhook = { headers: { ...headers, "webhook-signature": signature }, body };
      expect(await refusal(verifyWebhook(webhook, secret))).toBe("signature_mismatch");
    }
  });

  test("has a body of more than 256 KiB, whose rest is not read", async () => {
    const huge = "x".repeat(256 * 1024 + 1);
    expect(await refusal(verifyWebhook(signed(huge, secret), secret))).toBe("body_too_large");

    let sentBytes = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sentBytes += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const { headers } = signed(body, secret);
    const request = new Request("https://app.example/", {
      method: "POST",
      headers,
      body: endless,
      duplex: "half",
    });
    expect(await refusal(verifyWebhook(request, secret))).toBe("body_too_large");
    expect(sentBytes).toBeLessThan(2 * 256 * 1024);
  });

  test("has a body that breaks off", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("connection lost")),
    });
    const { headers } = signed(body, secret);
    const request = new Request("https://app.example/", {
      method: "POST",
      headers,
      body: broken,
      duplex: "half",
    });
    expect(await refusal(verifyWebhook(request, secret))).toBe("body_incomplete");
  });

  test.each<[string, string | Uint8Array]>([
    ["not UTF-8", Uint8Array.of(0x22, 0xff, 0xfe, 0x22)],
    ["not JSON", "type=file.stored"],
    ["not an object", "[]"],
    ["null", "null"],
    ["not an event", JSON.stringify({ type: "file.stored" })],
  ])("has the right signature, but a body that is %s", async (_kind, odd) => {
    expect(await refusal(verifyWebhook(signed(odd, secret), secret))).toBe("invalid_body");
  });
});

describe("a mistake of the receiver is a TypeError", () => {
  test.each<[string, unknown, string]>([
    ["no secret", undefined, "secret is missing"],
    ["an empty list", [], "secret is missing"],
    ["an API key", "stow_live_abc", "begins with whsec_"],
    ["half a secret", aSecret().slice(0, 20), "secret is malformed"],
    ["a secret with a line break", `${aSecret()}\n`, "secret is malformed"],
  ])("with %s", async (_kind, wrong, message) => {
    const failed = verifyWebhook(signed(body, secret), wrong as string);
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toBeInstanceOf(TypeError);
    if (typeof wrong === "string") await expect(failed).rejects.not.toThrow(wrong.slice(6));
  });

  test("with JSON that was parsed before", async () => {
    const { headers } = signed(body, secret);
    const parsed = { headers, body: JSON.parse(body) as string };
    await expect(verifyWebhook(parsed, secret)).rejects.toThrow("not parsed JSON");
  });

  test("with a request whose body was read before", async () => {
    const { headers } = signed(body, secret);
    const request = new Request("https://app.example/", { method: "POST", headers, body });
    await request.text();
    await expect(verifyWebhook(request, secret)).rejects.toThrow("was read before");
  });
});

test("what the library of Standard Webhooks signs is verified", async () => {
  for (const text of [body, JSON.stringify({ ...aFileEvent(), timestamp: "Ünï 文 🎈" })]) {
    const at = new Date();
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": `${Math.floor(at.getTime() / 1000)}`,
      "webhook-signature": new Webhook(secret).sign("msg_1", at, text),
    };
    expect((await verifyWebhook({ headers, body: text }, secret)).id).toBe("msg_1");
  }
});
