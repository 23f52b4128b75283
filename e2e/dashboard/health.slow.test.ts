import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDevStore } from "@stowage/dev-store";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible, PASSWORD } from "./fixtures/a-dashboard.js";
import { aNewService } from "./fixtures/a-new-service.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();

test("an administrator sees each part of the installation, and that storage has stopped", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stowage-health-"));
  const credentials = { accessKeyId: "health", secretAccessKey: "a secret of this test" };
  const store = await startDevStore({ dir, ...credentials, buckets: ["health"] });
  const service = await aNewService({
    S3_ENDPOINT: store.endpoint,
    S3_BUCKET: "health",
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    S3_TIMEOUT_MS: "5000",
    WEBHOOKS: "off",
  });
  const { page } = await dashboard.aVisitor();
  await page.goto(service.setupUrl);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).click();
  await page.getByRole("menuitem", { name: "Health of the installation" }).click();

  const parts = page.getByRole("table", { name: "Parts" });
  await parts.getByRole("row", { name: /^Database Works Answers in \d+ ms/ }).waitFor();
  await parts.getByRole("row", { name: /^Storage Works .* No failure is recorded/ }).waitFor();
  await parts.getByRole("row", { name: /^Storage events Not set up/ }).waitFor();
  await parts.getByRole("row", { name: /^Webhooks Switched off WEBHOOKS is off/ }).waitFor();
  await page
    .getByRole("table", { name: "Replicas" })
    .getByRole("row", { name: /answered this page.*\d+\.\d+\.\d+/ })
    .waitFor();
  await page.getByText("No requests in the last 1 hour.").waitFor();
  await page.getByText("Table", { exact: true }).click();
  const steps = page.getByRole("table", { name: "Requests and response times, last 1 hour" });
  await expect.poll(() => steps.getByRole("row").count()).toBe(61);
  await page.getByText("6 hours", { exact: true }).click();
  await page.waitForURL(/hours=6/);

  await store.stop();
  // Without this the page checks again every ten seconds.
  await page.reload();
  await parts.getByRole("row", { name: /^Storage Problem Storage does not answer\./ }).waitFor();
  await parts.getByRole("row", { name: /^Database Works/ }).waitFor();
  await expectAccessible(page, "health-storage-down");
  await rm(dir, { recursive: true, force: true });
});

test("only administrators see the installation, and members see what was rejected in their project", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, { maxFileBytes: 10 });
  const { page, calls } = await dashboard.aMember(owner, project, "viewer");
  const uploads = uploadsTo(dashboard.url, project);
  await uploads.store({ filename: "small.txt", bytes: "a", tenantId: "user_7" });
  await expect(uploads.request({ filename: "large.txt", bytes: "x".repeat(11), tenantId: "user_7" }))
    .rejects //
    .toThrow("size must be at most");
  await page.goto("/health");
  await page.getByText("Only administrators of this installation can see its health.").waitFor();

  // The service writes what was rejected every five seconds.
  await expect
    .poll(() => calls.health.refusedRequests.query({ projectRef: project.ref }), { timeout: 90_000 })
    .toHaveLength(1);
  await page.goto(`/projects/${project.ref}/health`);
  const row = page
    .getByRole("table", { name: "Rejected requests" })
    .getByRole("row", { name: /now The file is larger than the project's maximum file size.*user_7/ });
  await row.waitFor();
  expect(await page.getByRole("link", { name: "Health of the installation" }).count()).toBe(0);
  await expectAccessible(page, "project-health");
  await page.getByRole("combobox", { name: "Reason" }).selectOption("file_too_large");
  await page.waitForURL(/code=file_too_large/);
  await row.getByRole("link", { name: "user_7" }).click();
  await page.getByRole("heading", { name: "user_7" }).waitFor();
});
