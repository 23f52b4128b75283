import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { generateWebhookSecret, signWebhook } from "./sign.js";

const event = {
  type: "file.stored",
  timestamp: "2026-01-01T00:00:00.000Z",
  data: { filename: "Ünï 文.txt" },
};
const delivery = { id: "evt_1", at: new Date(), body: JSON.stringify(event) };

describe("a signed webhook", () => {
  test("is verified by the library of Standard Webhooks", () => {
    const secret = generateWebhookSecret(randomBytes);
    expect(new Webhook(secret).verify(delivery.body, signWebhook(delivery, [secret]))).toEqual(event);
  });

  test("is verified with either secret during a rotation, and with no other one", () => {
    const [current, previous, other] = [1, 2, 3].map(() => generateWebhookSecret(randomBytes));
    const headers = signWebhook(delivery, [current!, previous!]);
    expect(new Webhook(current!).verify(delivery.body, headers)).toEqual(event);
    expect(new Webhook(previous!).verify(delivery.body, headers)).toEqual(event);
    expect(() => new Webhook(other!).verify(delivery.body, headers)).toThrow("No matching signature found");
  });

  test("has the signature that the library makes for the same id, time and body", () => {
    const secret = generateWebhookSecret(randomBytes);
    const at = new Date(1_700_000_000_999);
    const headers = signWebhook({ ...delivery, at }, [secret]);
    expect(headers).toEqual({
      "webhook-id": "evt_1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": new Webhook(secret).sign("evt_1", at, delivery.body),
    });
  });
});

test("a secret is whsec_ and the base64 of 32 random bytes", () => {
  expect(generateWebhookSecret(() => new Uint8Array(32))).toBe(`whsec_${"A".repeat(43)}=`);
});
