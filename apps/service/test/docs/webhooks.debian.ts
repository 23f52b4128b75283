import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateWebhookSecret, signWebhook } from "#webhooks/sign.js";
import { readProgram } from "./read-program.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-webhooks-"));
  await writeFile(join(folder, "stowage_webhook.py"), await readProgram("webhooks.md", "stowage_webhook.py"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Webhook {
  headers: object;
  body: string | Uint8Array;
}

/** Passes each webhook to the function of the guide. Returns its result, or the kind of its error. */
function verify(secret: string, webhooks: Webhook[]): unknown[] {
  const program = `
import base64, json, sys
from stowage_webhook import verify_webhook
def outcome(webhook):
    try:
        return verify_webhook(webhook["headers"], base64.b64decode(webhook["body"]), sys.argv[1])
    except ValueError as error:
        return str(error)
print(json.dumps([outcome(webhook) for webhook in json.load(sys.stdin)]))`;
  const input = webhooks.map(({ headers, body }) => ({
    headers,
    body: Buffer.from(body).toString("base64"),
  }));
  const { stdout, stderr } = spawnSync("python3", ["-c", program, secret], {
    cwd: folder,
    input: JSON.stringify(input),
    timeout: 30_000,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as unknown[];
}

test("the Python of docs/webhooks.md verifies what the service signs, and refuses everything else", () => {
  const [secret, previous, other] = [1, 2, 3].map(() => generateWebhookSecret(randomBytes)) as [
    string,
    string,
    string,
  ];
  const event = { type: "file.stored", timestamp: "2026-01-01T00:00:00Z", data: { filename: "Ünï 文.txt" } };
  const delivery = { id: "evt_1", at: new Date(), body: JSON.stringify(event) };
  const { body } = delivery;
  const headers = signWebhook(delivery, [secret]);
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const { "webhook-id": _, ...withoutId } = headers;
  const mismatch = "no signature matches";
  const wrongTime = "the webhook is too old, or from the future";
  const cases: [Webhook, unknown][] = [
    [
      { headers, body },
      { id: "evt_1", ...event },
    ],
    [
      { headers: { ...signWebhook(delivery, [other, secret]) }, body },
      { id: "evt_1", ...event },
    ],
    [{ headers: signWebhook(delivery, [previous]), body }, mismatch],
    [{ headers, body: `${body} ` }, mismatch],
    [{ headers, body: Uint8Array.of(0xff, 0xfe) }, mismatch],
    [{ headers: withoutId, body }, mismatch],
    [{ headers: { ...headers, "webhook-signature": "" }, body }, mismatch],
    [{ headers: signWebhook({ ...delivery, at: minutesAgo(6) }, [secret]), body }, wrongTime],
    [{ headers: signWebhook({ ...delivery, at: minutesAgo(-6) }, [secret]), body }, wrongTime],
    [{ headers: {}, body }, expect.stringContaining("invalid literal for int()")],
  ];
  const outcomes = verify(
    secret,
    cases.map(([webhook]) => webhook),
  );
  expect(outcomes).toEqual(cases.map(([, outcome]) => outcome));
});
