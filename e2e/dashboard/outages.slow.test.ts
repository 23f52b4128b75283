import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { anInterruptibleService } from "./fixtures/an-interruptible-service.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
/** Checks come at most every 15 s. */
const recovery = { timeout: 90_000 };

test("the dashboard says that the database is down, keeps what it shows, and recovers without a reload", async () => {
  await using service = await anInterruptibleService();
  const { page, calls, consoleErrors } = await dashboard.anOwner(service.url);
  const { ref, name } = await calls.projects.create.mutate({ name: "Outage" });
  await page.goto(`/projects/${ref}/settings`);
  const main = page.getByRole("main");
  await main.getByRole("textbox", { name: "Name" }).fill("Renamed");
  await service.database.interrupt();

  await main.getByRole("button", { name: "Save" }).first().click();
  await main.getByText("The database does not answer. Nothing was changed. Try again later.").waitFor();
  const banner = page.getByRole("status").filter({ hasText: "Pages show what was loaded before." });
  await banner.getByText("The database does not answer.").waitFor();
  await page.getByRole("navigation", { name: "Project" }).getByText(name).waitFor();
  await expectAccessible(page, "outage-settings");
  await main.getByRole("button", { name: "Discard changes" }).click();

  await page.getByRole("link", { name: "Tenants", exact: true }).click();
  await main.getByText("Not loaded. This loads by itself").waitFor();
  const visitor = await dashboard.anOwner(service.url);
  await visitor.page.goto(`/projects/${ref}/settings`);
  await visitor.page.getByRole("heading", { name: "Stowage is not available" }).waitFor();
  await visitor.page.getByText("The database does not answer.").waitFor();
  await expectAccessible(visitor.page, "outage-first-load");

  await service.database.resume();
  await tryNow(page);
  await banner.waitFor({ state: "hidden" });
  await main.getByText("No tenants").or(main.getByRole("table")).first().waitFor();
  await visitor.page.getByRole("textbox", { name: "Name" }).waitFor(recovery);
  expect(await visitor.page.getByRole("textbox", { name: "Name" }).inputValue()).toBe(name);
  await Promise.all([page.close(), visitor.page.close()]);
  for (const errors of [consoleErrors, visitor.consoleErrors]) expectOnly(errors, /status of 503/);
});

test("offline, a page that is loaded stays, another one says so and opens when the browser is online", async () => {
  const owner = await dashboard.anOwner();
  const { page, context, consoleErrors } = owner;
  const { ref, name } = await dashboard.aProject(owner);
  await page.goto(`/projects/${ref}/settings`);
  const nameField = page.getByRole("textbox", { name: "Name" });
  await nameField.waitFor();
  await markDocument(page);
  await context.setOffline(true);
  await page.getByRole("status").getByText("You are offline.").waitFor();

  await page.getByRole("link", { name: "Tenants", exact: true }).click();
  await page.getByRole("heading", { name: "You are offline" }).waitFor();
  await expectAccessible(page, "offline-page");
  await page.getByRole("link", { name: "Settings" }).click();
  expect(await nameField.inputValue()).toBe(name);
  await page.getByRole("button", { name: "Delete project" }).click();
  await page.getByRole("link", { name: "Tenants", exact: true }).click();
  await page.getByRole("heading", { name: "You are offline" }).waitFor();

  await context.setOffline(false);
  await page.getByRole("heading", { name: "Tenants", exact: true }).waitFor();
  await page.getByText("You are offline").first().waitFor({ state: "hidden" });
  expect(await isMarked(page)).toBe(true);
  expectOnly(consoleErrors, /ERR_INTERNET_DISCONNECTED/);
});

test("while the service is away, a page whose code is missing waits for it, and the live list continues", async () => {
  await using service = await anInterruptibleService();
  const { page, calls, consoleErrors } = await dashboard.anOwner(service.url);
  const project = await calls.projects.create.mutate({ name: "Away" });
  const { ref } = project;
  const uploads = uploadsTo(dashboard.url, project);
  await uploads.store({ filename: "before.txt" });
  await page.goto(`/projects/${ref}`);
  await page.getByText("Live").waitFor();
  await service.address.interrupt();
  await page.getByRole("status").getByText("The service cannot be reached.").waitFor();
  await page.getByText("before.txt").first().waitFor();
  await page.getByRole("link", { name: "Tenants", exact: true }).click();
  await page.getByRole("heading", { name: "The service cannot be reached." }).waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText("before.txt").first().waitFor();
  await service.restart();
  await service.address.resume();
  await tryNow(page);
  await page.getByText("Live").waitFor();
  await uploads.store({ filename: "after.txt" });
  await page.getByText("after.txt").first().waitFor();
  await page.getByRole("link", { name: "Tenants", exact: true }).click();
  await page.getByRole("heading", { name: "Tenants", exact: true }).waitFor();
  await page.close();
  expectOnly(consoleErrors, /ERR_|Failed to fetch dynamically imported module/);
});

test("a page whose code another version has replaced says so, and offers to reload", async () => {
  await using service = await anInterruptibleService();
  const { page, calls, consoleErrors } = await dashboard.anOwner(service.url);
  const { ref } = await calls.projects.create.mutate({ name: "Deployed" });
  await page.goto(`/projects/${ref}/settings`);
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  await service.deploy("tenants-page");
  await page.getByRole("link", { name: "Tenants", exact: true }).click();
  await page.getByRole("heading", { name: "There is a newer version of the dashboard" }).waitFor();
  await page.getByRole("navigation", { name: "Project" }).waitFor();
  await expectAccessible(page, "new-version");
  await page.close();
  expectOnly(consoleErrors, /status of 404|NewVersionError/);
});

/** Presses "Try now" and waits until the page has recovered. It may find that out by itself before the button is pressed. */
async function tryNow(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Try now" });
  const hasRecovered = button.waitFor({ state: "detached", ...recovery });
  await Promise.race([button.click(), hasRecovered]);
  await hasRecovered;
}

/** Marks the document, which a reload would replace. */
const markDocument = (page: Page) => page.evaluate(() => void document.body.setAttribute("data-mark", ""));
const isMarked = (page: Page) => page.evaluate(() => document.body.hasAttribute("data-mark"));

/** Removes the console errors, and expects that each of them belongs to the outage. */
function expectOnly(consoleErrors: string[], pattern: RegExp): void {
  expect(consoleErrors.splice(0).filter((line) => !pattern.test(line))).toEqual([]);
}
