import { freePort } from "@stowage/dev-postgres";
import type { UploadResponse } from "@stowage/schemas";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardClient } from "../fixtures/a-project.js";
import { aDashboard, expectConsoleErrors, PASSWORD } from "./fixtures/a-dashboard.js";
import { aNewService } from "./fixtures/a-new-service.js";

const dashboard = aDashboard();

test("works below a path of its host: links, live feed, documentation, exports, reloads, signing out and in", async () => {
  const port = await freePort();
  const host = `http://localhost:${port}`;
  const address = `${host}/tools/stowage`;
  const service = await aNewService({ PORT: String(port), DASHBOARD_URL: `${address}/` });
  expect(service.setupUrl).toMatch(`${address}/setup#`);
  const { page, context, consoleErrors } = await dashboard.aVisitor();
  await context.addInitScript(() => {
    const whenIdle = requestIdleCallback;
    window.requestIdleCallback = (run) => whenIdle(run, { timeout: 1000 });
  });
  const outside: string[] = [];
  context.on("request", (request) => {
    const url = request.url();
    if (url.startsWith(host) && !url.startsWith(`${address}/`)) outside.push(url);
  });

  await page.goto(service.setupUrl);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  const account = page.getByRole("button", { name: "Account of Ada Lovelace" });
  await account.waitFor();
  expect(page.url()).toBe(`${address}/`);
  const cookies = await context.cookies(address);
  expect(cookies.map(({ path }) => path)).toContain("/tools/stowage");
  expect((await context.cookies(host)).map(({ name }) => name)).toEqual([]);

  const calls = dashboardClient(address, async () => ({
    Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
  }));
  const { ref, apiKey } = await calls.projects.create.mutate({ name: "First" });
  await page.goto(`${address}/projects/${ref}/quickstart`);
  await page.getByText(`${address}/api/storage/upload/`).first().waitFor();
  await expectDocs(page, address);

  // Backends call the API below the path or at a host of its own.
  const callApi = async (base: string, path: string, body: object) => {
    const answer = await fetch(`${base}/api/storage/${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as UploadResponse;
  };
  const upload = async (base: string, filename: string) => {
    const { presigned_url, headers, file_path } = await callApi(base, "upload/", {
      tenant_id: "t",
      filename,
    });
    expect((await fetch(presigned_url, { method: "PUT", headers, body: "hello" })).status).toBe(200);
    await callApi(base, "complete/", { file_path });
  };
  await upload(address, "below-the-path.txt");
  await page.goto(`${address}/projects/${ref}`);
  const newest = page.getByRole("table", { name: "Newest uploads" });
  await newest.getByText("below-the-path.txt").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await upload(host, "own-host.txt");
  await newest.getByText("own-host.txt").waitFor();

  const files = `${address}/projects/${ref}/files?q=own`;
  await page.goto(files);
  for (let times = 0; times < 2; times++) {
    await page.getByRole("link", { name: "own-host.txt" }).waitFor();
    expect(page.url()).toBe(files);
    await page.reload();
  }
  const csv = await page.getByRole("link", { name: "Export as CSV" }).getAttribute("href");
  expect(csv).toMatch(/^\/tools\/stowage\/dashboard\/export\/files\.csv\?/);
  expect(await (await page.request.get(host + csv!)).text()).toContain("own-host.txt");

  await account.click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(`${address}/sign-in`);
  await page.goto(files);
  await page.waitForURL((url) => url.href.startsWith(`${address}/sign-in?to=%2Fprojects%2F`));
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(files);
  await page.getByRole("link", { name: "own-host.txt" }).waitFor();
  expect(outside).toEqual([]);
  expectConsoleErrors(consoleErrors, /401/);
});

/** Opens the documentation from the dashboard, and a page of it by its menu, its search and its Markdown. */
async function expectDocs(page: Page, address: string): Promise<void> {
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Helper", exact: true }).click();
  const docs = await opened;
  await docs.waitForURL(`${address}/docs/helper/`);
  await docs.getByRole("link", { name: "Quotas", exact: true }).first().click();
  await docs.waitForURL(`${address}/docs/quotas/`);
  // The search loads its code and its index from below the path, when the page is idle or after a second.
  await expect.poll(() => docs.getByRole("button", { name: "Search" }).isEnabled()).toBe(true);
  await docs.keyboard.press("Control+k");
  await docs.getByRole("textbox", { name: "Search" }).fill("trash purge");
  await docs.getByRole("dialog").getByRole("link", { name: "Expiry, trash and hold" }).first().press("Enter");
  await docs.waitForURL(`${address}/docs/lifecycle/**`);
  const answer = await docs.goto(`${address}/docs/llms.txt`);
  expect(await answer!.text()).toContain("](/tools/stowage/docs/helper.md)");
  await docs.goto(`${address}/docs/errors/quota_exceeded`);
  await docs.waitForURL(`${address}/docs/errors/quota_exceeded/`);
  const missing = await docs.goto(`${address}/docs/nothing/here/`);
  expect(missing!.status()).toBe(404);
  expect(await docs.locator("a[href='/tools/stowage/docs/']").count()).toBeGreaterThan(0);
  await docs.close();
}
