import { expect, inject, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";

const dashboard = aDashboard();

test("asks for sign-in and then returns to the requested page", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page, consoleErrors } = await dashboard.aVisitor();
  await page.goto(`/projects/${project.ref}/members`);
  await page.waitForURL(/\/sign-in\?to=/);
  // Chromium logs the 401 that caused the redirect.
  expect(consoleErrors.splice(0).join()).toContain("401");
  // The address changes before the page is loaded.
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expectAccessible(page, "sign-in");
  const { email, password } = inject("stowage").operator;
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**/projects/${project.ref}/members`);
});

test("leads to sign-in when the session ends, and remembers the page", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page, context, consoleErrors } = await dashboard.aMember(owner, project, "owner");
  await page.goto(`/projects/${project.ref}/settings`);
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Another");
  const ended = await context.request.post(`${dashboard.url}/auth/sign-out`, {
    data: {},
    headers: { Origin: dashboard.url },
  });
  expect(ended.ok()).toBe(true);
  await name.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("to") === `/projects/${project.ref}/settings`);
  expect(consoleErrors.splice(0).join()).toContain("401");
});

test("shows a message if a script is missing, and works again after a reload", async () => {
  const { page, consoleErrors } = await dashboard.anOwner();
  await page.goto("/");
  await page.getByRole("heading", { name: "Projects" }).waitFor();
  const gone = { status: 404, contentType: "application/json", body: "{}" };
  await page.route("**/assets/account-page-*.js", (route) => route.fulfill(gone));
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Account" }).click();
  // The router has reloaded the page once by itself.
  await page.getByText("This page could not be shown").waitFor();
  await expectAccessible(page, "broken");
  expect(consoleErrors.splice(0).join()).toContain("404");
  await page.unroute("**/assets/account-page-*.js");
  await page.getByRole("button", { name: "Reload page" }).click();
  await page.getByRole("heading", { name: "Account" }).waitFor();
});

test("shows a page for an unknown address, and answers programs with JSON", async () => {
  const { page } = await dashboard.anOwner();
  await page.goto("/nowhere");
  await page.getByText("Page not found").waitFor();
  await expectAccessible(page, "not-found");
  const answer = await fetch(`${dashboard.url}/nowhere`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({ detail: expect.any(String) });
});

test("removes invalid parameters from the address and keeps the valid ones", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await owner.page.goto(`/projects/${project.ref}/tenants?sort=evil&order=asc&other=1`);
  await owner.page.getByRole("heading", { name: "Tenants", exact: true }).waitFor();
  await expect.poll(() => new URL(owner.page.url()).search).toBe("?order=asc");
});

test("offers the first page, or the list without filters, if the service refuses an address", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page, consoleErrors } = owner;
  await page.goto(`/projects/${project.ref}/tenants?sort=tenant_id&cursor=nonsense`);
  await page.getByText("cursor is not valid").waitFor();
  await expectAccessible(page, "refused-address");
  await page.getByRole("button", { name: "First page" }).click();
  await page.getByText("No tenants yet").waitFor();
  expect(new URL(page.url()).search).toBe("?sort=tenant_id");
  await page.goto(`/projects/${project.ref}/files?tenantId=${"t".repeat(300)}`);
  await page.getByRole("alert").getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("No files yet").waitFor();
  expect(new URL(page.url()).search).toBe("");
  // Chromium logs a 400 only for a request that is not part of a batch.
  expect(consoleErrors.splice(0).filter((line) => !line.includes("status of 400"))).toEqual([]);
});

test("sends a Content-Security-Policy that forbids foreign scripts and frames", async () => {
  const { headers, status } = await fetch(dashboard.url, { headers: { Accept: "text/html" } });
  expect(status).toBe(200);
  expect(headers.get("content-security-policy")).toContain("script-src 'self';");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("cache-control")).toBe("no-store");
});

test.each(["/api/nothing", "/trpc/nothing", "/auth/nothing", "/assets/gone.js", "/dashboard/export/no.csv"])(
  "%s answers with JSON, also to a browser",
  async (path) => {
    const answer = await fetch(dashboard.url + path, { headers: { Accept: "text/html" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      404,
      expect.stringContaining("application/json"),
    ]);
  },
);

test("has a skip link, and marks the current page in the menu", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await owner.page.goto(`/projects/${project.ref}/members`);
  const current = owner.page.getByRole("navigation", { name: "Project" }).locator("[aria-current=page]");
  await expect.poll(() => current.allInnerTexts()).toEqual(["Members"]);
  await owner.page.keyboard.press("Tab");
  await owner.page.keyboard.press("Enter");
  await expect.poll(() => owner.page.evaluate(() => document.activeElement?.id)).toBe("content");
});
