import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible, type CreatedProject } from "./fixtures/a-dashboard.js";
import { importDelivery, signDownload } from "./fixtures/downloads.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();

/** Calls the REST API with the project's key, as a customer's backend does. */
async function callApi(project: CreatedProject, path: string, body: object): Promise<Response> {
  return fetch(`${dashboard.url}/api/storage/${path}/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${project.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
}

/** Requests, sends and completes an upload. */
async function upload(
  project: CreatedProject,
  filename: string,
  bytes: string,
  tenant_id = "user_42",
): Promise<void> {
  const requested = await callApi(project, "upload", { tenant_id, filename });
  const { presigned_url, headers, file_path } = (await requested.json()) as {
    presigned_url: string;
    headers: Record<string, string>;
    file_path: string;
  };
  const put = await fetch(presigned_url, { method: "PUT", headers, body: bytes });
  expect(put.status).toBe(200);
  expect((await callApi(project, "complete", { file_path })).status).toBe(200);
}

const newest = (page: Page) => page.getByRole("table", { name: "Newest uploads" });
const figure = (page: Page, name: string) =>
  page
    .getByRole("region", { name: "Totals" })
    .locator("dt", { hasText: new RegExp(`^${name}$`) })
    .locator("+ dd");

test("shows a new upload without a reload, in the list, the figures and the chart", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, { defaultQuotaBytes: 4000 });
  await upload(project, "first.txt", "x".repeat(1000));
  const { page } = owner;
  await page.goto(`/projects/${project.ref}`);
  await newest(page)
    .getByRole("row", { name: /first\.txt.*user_42.*1 kB.*Stored/ })
    .waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await expect.poll(() => figure(page, "Storage used").innerText()).toBe("1 kB");
  await page.getByRole("img", { name: "Uploads per day, last 30 days" }).waitFor();

  await upload(project, "second.pdf", "x".repeat(4000), "user_43");

  await newest(page)
    .getByRole("row", { name: /second\.pdf.*user_43.*4 kB.*Stored/ })
    .waitFor();
  await expect.poll(() => figure(page, "Storage used").innerText()).toBe("5 kB");
  await expect.poll(() => figure(page, "Files").innerText()).toBe("2");
  await page.getByText("1 at or over the quota").waitFor();
  await page.getByText("Table", { exact: true }).click();
  const days = page.getByRole("table", { name: /last 30 days/ });
  await days.getByRole("row", { name: /\b2\b.*5 kB/ }).waitFor();
  expect(await days.getByRole("row").count()).toBe(31);
});

test("shows the downloads that were signed, and what an access log says was delivered", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const files = uploadsTo(dashboard.url, project);
  const path = await files.store({ filename: "a.txt", bytes: "x".repeat(2000) });
  const { page } = owner;
  await page.goto(`/projects/${project.ref}`);
  await page.getByText(/^No downloads were signed in the last 30 days/).waitFor();

  await signDownload(project, path);
  await signDownload(project, path);
  await page.reload();
  const chart = (name: string) => page.getByRole("img", { name: `${name} per day, last 30 days` });
  const sum = (name: string) => page.getByText(name, { exact: true }).locator("+ p").innerText();
  await chart("Signed downloads").waitFor();
  expect([await sum("Signed downloads"), await sum("Signed size")]).toEqual(["2", "4 kB"]);
  await page.getByText(/^No access log of these days was imported/).waitFor();
  expect(await chart("Delivered size").count()).toBe(0);
  await expectAccessible(page, "overview-signed-downloads");

  await importDelivery(path, 1_500_000);
  await page.reload();
  await chart("Delivered size").waitFor();
  expect(await sum("Delivered size")).toBe("1.5 MB");
  await page.getByText("Table", { exact: true }).click();
  const days = page.getByRole("table", { name: /last 30 days/ }).locator("tbody tr");
  await expect.poll(() => days.first().innerText()).toMatch(/\s2\s+4 kB\s+1\.5 MB$/);
  expect(await days.nth(1).innerText()).toMatch(/\s0\s+0 bytes\s+Unknown$/);
  await expectAccessible(page, "overview-downloads-table");
});

test("keeps the period in the address", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await upload(project, "a.txt", "a");
  const { page } = owner;
  await page.goto(`/projects/${project.ref}?days=7`);
  await page.getByRole("img", { name: "Uploads per day, last 7 days" }).waitFor();
  await page.getByText("90 days", { exact: true }).click();
  await page.waitForURL(/days=90/);
  await page.getByRole("img", { name: "Uploaded size per day, last 90 days" }).waitFor();
  await page.goBack();
  await page.getByRole("img", { name: "Uploads per day, last 7 days" }).waitFor();
  expect(new URL(page.url()).search).toBe("?days=7");
});

test("counts a refused upload with its reason", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, { defaultQuotaBytes: 100 });
  await upload(project, "fits.txt", "x".repeat(90));
  const { page } = owner;
  await page.goto(`/projects/${project.ref}`);
  await page.getByText("No request from your backend was rejected").waitFor();
  const refused = await callApi(project, "upload", { tenant_id: "user_42", filename: "large.txt", size: 50 });
  expect(refused.status).toBe(403);
  await page
    .getByRole("table", { name: "Rejected requests" })
    .getByRole("row", { name: /The tenant's quota has no room for the file.*1/ })
    // The service writes what was rejected every five seconds, and the page loads it every ten.
    .waitFor({ timeout: 90_000 });
  await expectAccessible(page, "overview");
});

test("shows uploads that happened while the browser was offline", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await upload(project, "before.txt", "a");
  const { page, context } = owner;
  await page.goto(`/projects/${project.ref}`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("img", { name: "Uploads per day, last 30 days" }).waitFor();
  await context.setOffline(true);
  await page.getByText("You are offline").waitFor();
  // The page closes its subscription a moment later. Until then it would still receive the upload.
  await page.getByText("Live", { exact: true }).waitFor({ state: "hidden" });
  await upload(project, "missed.txt", "b");
  expect(await newest(page).getByText("missed.txt").count()).toBe(0);
  await context.setOffline(false);
  await newest(page).getByText("missed.txt").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  // Chromium logs the calls that failed while it was offline.
  owner.consoleErrors.splice(0);
});

test("shows the table if the chart cannot be loaded", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await upload(project, "a.txt", "a");
  await owner.page.route(/usage-charts/, (route) => route.abort());
  await owner.page.goto(`/projects/${project.ref}`);
  const days = owner.page.getByRole("table", { name: /last 30 days/ });
  await days.waitFor();
  expect(await days.getByRole("row").count()).toBe(31);
  // Chromium logs the script that failed to load.
  owner.consoleErrors.splice(0);
});

test("replaces the quickstart by the overview after the first upload, without a reload", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await owner.page.goto(`/projects/${project.ref}`);
  await owner.page.getByRole("heading", { name: "Connect your product" }).waitFor();
  await upload(project, "first.txt", "the first");
  await newest(owner.page).getByText("first.txt").waitFor();
  expect(await owner.page.getByRole("heading", { name: "Connect your product" }).count()).toBe(0);
});
