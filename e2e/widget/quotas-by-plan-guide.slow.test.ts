import type { webhookHandler } from "@stowage/server/webhooks";
import postgres from "postgres";
import { beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { aReceiver } from "../dashboard/fixtures/a-receiver.js";
import { aProject, dashboardClient } from "../fixtures/a-project.js";
import { buildGuidePage, importExample, reactPage } from "../fixtures/build-guide-page.js";
import { aPageHarness } from "./fixtures/a-page-harness.js";

interface Plans {
  savePlans(): Promise<void>;
  applyPlan(userId: string, plan: "free" | "team"): Promise<void>;
}

const GUIDE = "guides/quotas-by-plan.md";
const GB = 1_000_000_000;
const PAGE = reactPage(
  `import { UploadDropzone } from "@stowage/react";
import { Storage } from "./storage.js";`,
  '<UploadDropzone endpoint="/api/stowage" /><Storage />',
);

const harness = aPageHarness();
let pageDir: string;
beforeAll(async () => void (pageDir = await buildGuidePage(GUIDE, ["storage.tsx"], PAGE)));

test("a user of the plan free meets its quota, gets the plan team by the guide's call, and uploads the same file", async () => {
  const { ref, apiKey } = await aProject();
  await using receiver = await aReceiver();
  const { url, operatorCookie, databaseUrl } = inject("stowage");
  const { secret } = await dashboardClient(url, async () => ({
    Cookie: operatorCookie,
  })).webhooks.create.mutate({
    projectRef: ref,
    url: receiver.url,
    description: "",
    events: ["tenant.quota_reached"],
  });
  const { savePlans, applyPlan } = await importExample<Plans>(GUIDE, "plans.ts", apiKey);
  const { webhooks } = await importExample<{ webhooks: ReturnType<typeof webhookHandler> }>(
    GUIDE,
    "webhooks.ts",
    apiKey,
    { STOWAGE_WEBHOOK_SECRET: secret },
  );
  await savePlans();

  const opened = await harness.openPage({ pageDir, stowage: { apiKey, allowList: true, allowUsage: true } });
  const { page, user, consoleErrors } = opened;
  await applyPlan(user, "free");
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  // Sending a gigabyte would take minutes.
  await sql`update tenants set used_bytes = ${GB - 4} where tenant_id = ${user}
    and project_id = (select id from projects where ref = ${ref})`;
  await page.reload();
  const meter = page.getByRole("meter", { name: "Storage used" });
  const shows = (value: number, max: number) =>
    expect
      .poll(() => meter.evaluate((element) => [element.getAttribute("value"), element.getAttribute("max")]))
      .toEqual([String(value), String(max)]);
  await shows(GB - 4, GB);

  await page.locator("input[type=file]").setInputFiles(await harness.file("notes.txt", "hello"));
  const row = page.getByRole("listitem").filter({ hasText: "notes.txt" });
  await row.getByText("There is not enough storage left for this file.").waitFor();
  expect(await harness.backend.filesOf(user)).toEqual([]);
  expect(consoleErrors).toEqual([expect.stringMatching(/the server responded with a status of 403/)]);

  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1);
  const { headers, body } = receiver.received[0]!;
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const request = new Request(receiver.url, {
    method: "POST",
    headers: headers as Record<string, string>,
    body,
  });
  expect((await webhooks.handler(request)).status).toBe(204);
  expect(log.mock.calls).toEqual([[`${user} has used ${GB - 4} of ${GB} bytes`]]);

  await applyPlan(user, "team");
  await page.getByRole("button", { name: "Retry notes.txt" }).click();
  await expect
    .poll(() => harness.backend.filesOf(user))
    .toMatchObject([{ filename: "notes.txt", status: "stored", sizeBytes: 5 }]);
  await shows(GB + 1, 100 * GB);
  expect(consoleErrors).toHaveLength(1);
});
