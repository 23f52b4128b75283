import { createHmac } from "node:crypto";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { aReceiver, type Receiver } from "./fixtures/a-receiver.js";

const dashboard = aDashboard();
/** A delivery waits for a job of the service and for the page's next look, which take long on a busy machine. */
const delivered = { timeout: 90_000 };

test(
  "an owner adds an endpoint, tests it, enables it again after 410, redelivers, rotates the secret and deletes it",
  { timeout: 540_000 },
  async () => {
    await using receiver = await aReceiver();
    const owner = await dashboard.anOwner();
    const project = await dashboard.aProject(owner);
    const { page } = owner;
    await page.goto(`/projects/${project.ref}/webhooks`);
    await page.getByText("No webhook endpoints").waitFor();

    await page.getByRole("button", { name: "Add endpoint" }).click();
    const form = page.getByRole("dialog", { name: "Add an endpoint" });
    await form.getByRole("textbox", { name: "URL" }).fill("example.com");
    await form.getByRole("textbox", { name: "Description" }).fill("Billing");
    await form.getByRole("checkbox", { name: "file.stored" }).uncheck();
    await form.getByRole("button", { name: "Add endpoint" }).click();
    await form.getByText("url must be an http or https URL").waitFor();
    await form.getByText("Choose at least one event.").waitFor();
    await expectAccessible(page, "webhooks-add");
    await form.getByRole("textbox", { name: "URL" }).fill(receiver.url);
    await form.getByRole("button", { name: "Choose all events" }).click();
    await form.getByRole("button", { name: "Add endpoint" }).click();
    const secret = await page.getByRole("textbox", { name: "Signing secret" }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I have saved the secret" }).click();
    await page.getByRole("heading", { name: "Billing" }).waitFor();
    await page.getByText("No deliveries yet").waitFor();

    await page.getByRole("button", { name: "Send a test" }).click();
    const delivery = page.getByRole("dialog", { name: "Delivery" });
    await delivery.getByText("Status 204").waitFor(delivered);
    await delivery.getByRole("status").getByText("Delivered").waitFor();
    await delivery.getByRole("region", { name: "Body" }).getByText("webhook.test").waitFor();
    await expectAccessible(page, "webhooks-delivery");
    expect(receiver.received.map(signatureOf)).toEqual([signedWith(secret, receiver)]);
    await delivery.getByRole("button", { name: "Close" }).click();

    receiver.answer = { status: 410, text: "This receiver has moved." };
    await page.getByRole("button", { name: "Send a test" }).click();
    await delivery.getByText("This receiver has moved.").waitFor(delivered);
    await page.keyboard.press("Escape");
    await page.getByText("It answered 410 Gone.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Send a test" }).isDisabled()).toBe(true);
    await expectAccessible(page, "webhooks-disabled");
    receiver.answer = { status: 204, text: "" };
    await page.getByRole("button", { name: "Enable again" }).click();
    await page.getByText("The endpoint is enabled.").waitFor();
    await page.getByText("Not delivered", { exact: true }).click();
    await page.waitForURL("**?show=undelivered");
    const log = page.getByRole("table", { name: "Deliveries" });
    await expect.poll(() => log.getByRole("link").count()).toBe(1);
    await log.getByRole("link", { name: "webhook.test" }).click();
    await delivery.getByRole("button", { name: "Redeliver" }).click();
    await delivery.getByText("Status 204").waitFor(delivered);
    await page.keyboard.press("Escape");
    await page.getByText("Every delivery succeeded or is waiting").waitFor(delivered);

    await page.getByRole("button", { name: "Redeliver since…" }).click();
    await page.getByRole("dialog", { name: "Redeliver events" }).getByText("also those that").waitFor();
    await expectAccessible(page, "webhooks-redeliver");
    await page.getByRole("dialog").getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("2 events are sent again.").waitFor();
    await expect.poll(() => receiver.received.length, delivered).toBe(5);

    await page.getByRole("button", { name: "Rotate secret" }).click();
    await page.getByRole("button", { name: "Rotate now" }).click();
    const rotated = page.getByRole("textbox", { name: "Signing secret" });
    expect(await rotated.inputValue()).not.toBe(secret);
    await page.getByRole("button", { name: "I have saved the secret" }).click();
    await page.getByText("The secret before it also signs until").waitFor();

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Events that are waiting for it are not sent").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No webhook endpoints").waitFor();
  },
);

test("a viewer reads endpoints and a long log of deliveries, and changes nothing", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { ref } = await owner.calls.webhooks.create.mutate({
    projectRef: project.ref,
    url: "https://example.com/hooks/storage",
    description: "Search index",
    events: ["file.stored", "file.deleted", "tenant.quota_reached"],
  });
  await addDeliveries(ref, 60);
  const { page } = await dashboard.aMember(owner, project, "viewer");
  await page.goto(`/projects/${project.ref}/webhooks`);
  const endpoints = page.getByRole("table", { name: "Webhook endpoints" });
  await endpoints.getByText("Delivered", { exact: true }).waitFor();
  await expectAccessible(page, "webhooks");
  await endpoints.getByRole("link", { name: "https://example.com/hooks/storage" }).click();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.waitForURL(/\?cursor=/);
  const log = page.getByRole("table", { name: "Deliveries" });
  await expect.poll(() => log.getByRole("link", { name: "webhook.test" }).count()).toBe(10);
  await expectAccessible(page, "webhooks-endpoint");
  await page.getByRole("button", { name: "Previous page" }).click();
  await expect.poll(() => log.getByRole("link", { name: "webhook.test" }).count()).toBe(50);
  expect(
    await page.getByRole("button", { name: /test|Change|Delete|Disable|Rotate|Redeliver/ }).count(),
  ).toBe(0);
  await log.getByRole("link", { name: "webhook.test" }).first().click();
  await page.getByRole("dialog", { name: "Delivery" }).getByText("No try yet.").waitFor();
  expect(await page.getByRole("dialog").getByRole("button", { name: "Redeliver" }).count()).toBe(0);
  await page.goto(`/projects/${project.ref}/webhooks/unknown`);
  await page.getByText("Webhook endpoint not found").waitFor();
});

type Received = Receiver["received"][number];

const signatureOf = ({ headers }: Received) => headers["webhook-signature"];

/** The signature of the first webhook, by Standard Webhooks. */
function signedWith(secret: string, { received: [first] }: Receiver): string {
  const { headers, body } = first!;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

/** Adds events that were delivered to an endpoint, a minute apart. */
async function addDeliveries(endpointRef: string, count: number): Promise<void> {
  const sql = postgres(inject("stowage").databaseUrl, { max: 1 });
  try {
    await sql`
      with endpoint as (select project_id, id, ref from webhook_endpoints where ref = ${endpointRef}),
      event as (
        insert into webhook_events (project_id, id, type, subject, data, at)
        select project_id, ('01000000-0000-7000-8000-' || lpad(to_hex(${count} - n), 12, '0'))::uuid, 'webhook.test', 'test:' || n, jsonb_build_object('endpoint_ref', ref),
          now() - n * interval '1 minute'
        from endpoint, generate_series(1, ${count}) n
        returning project_id, id, subject, at)
      insert into webhook_deliveries (project_id, endpoint, event, subject, seq, state, attempts, delivered_at, last_status)
      select event.project_id, endpoint.id, event.id, event.subject, 0, 'delivered', 1, event.at, 204 from event, endpoint`;
  } finally {
    await sql.end();
  }
}
