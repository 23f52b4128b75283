import { Webhook } from "standardwebhooks";
import { expect, inject, test } from "vitest";
import { run } from "./fixtures/run.js";

const { react18, react19 } = inject("customers");

test.each([
  ["the oldest dependencies, by require()", react18, "commonjs", "require"],
  ["the newest dependencies, by import()", react19, "module", "await import"],
])("the packed package verifies webhooks with %s", async (_name, cwd, inputType, load) => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const body = JSON.stringify({ type: "file.stored", timestamp: "", data: { file_path: "Ünï 文" } });
  const at = new Date();
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", at, body),
  };
  const code = `
    const { verifyWebhook } = ${load}("@stowage/server/webhooks");
    const { headers, body, secret } = ${JSON.stringify({ headers, body, secret })};
    Promise.all([
      verifyWebhook({ headers, body }, secret).then(({ id, data }) => [id, data.filePath]),
      verifyWebhook({ headers, body: body + " " }, secret).catch(({ name, code }) => [name, code]),
    ]).then((outcomes) => console.log(JSON.stringify(outcomes)));`;
  const output = await run(process.execPath, [`--input-type=${inputType}`, "-e", code], {
    cwd,
    timeoutMs: 120_000,
  });
  expect(JSON.parse(output)).toEqual([
    ["evt_1", "Ünï 文"],
    ["WebhookVerificationError", "signature_mismatch"],
  ]);
});
