import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { copiedBy } from "./fixtures/copied-by.js";
import { findSecret, recordResponses } from "./fixtures/find-secret.js";
import { uploadStatus } from "./fixtures/uploads.js";

const dashboard = aDashboard();
/** Each look takes a snapshot of the page's memory. */
const snapshots = { timeout: 90_000 };
const aName = () => `Harbour ${randomBytes(4).toString("hex")}`;
const keyField = (page: Page) => page.getByRole("textbox", { name: "API key" });

test("shows the key of a new project once, and keeps no copy of it in the page", async () => {
  const { page, context } = await dashboard.aNewUser();
  await page.goto("/account");
  // Navigate within the dashboard, so that the back button stays in it.
  await page.getByRole("link", { name: "Stowage: Projects" }).click();
  await page.getByRole("button", { name: "Create your first project" }).click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  const name = aName();
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("button", { name: "Create project" }).click();
  const apiKey = await keyField(page).inputValue();
  expect(await uploadStatus(dashboard.url, apiKey)).toBe(200);

  // Escape, a click outside and the back button do not close the dialog.
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 400);
  await page.goBack();
  expect(await keyField(page).inputValue()).toBe(apiKey);
  expect(await findSecret(page, apiKey)).toContain("memory");

  expect(await copiedBy(page.getByRole("button", { name: "Copy key" }))).toBe(apiKey);

  const later = recordResponses(context);
  await page.getByRole("button", { name: "I have saved the key" }).click();
  await page.waitForURL(/\/projects\/[^/]+$/);
  await expect.poll(() => findSecret(page, apiKey), snapshots).toEqual([]);

  for (const to of ["API key", "Settings", "Audit log"]) {
    await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: to }).click();
    await page.getByRole("heading", { name: to, level: 1 }).waitFor();
  }
  await page.goto("/");
  await page.getByRole("link", { name }).click();
  await page.waitForURL(/\/projects\/[^/]+$/);
  expect(later.count()).toBeGreaterThan(5);
  expect(await later.containing(apiKey)).toEqual([]);
});

test("shows errors at the fields of the project form, and accepts sizes with units", async () => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  await page.goto("/");
  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  await dialog.getByRole("button", { name: "Advanced" }).click();
  await dialog.getByLabel("Maximum file size").fill("6 apples");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await dialog.getByText("name is required").waitFor();
  await dialog.getByText("Enter a size such as").waitFor();
  await expectAccessible(page, "projects-create-dialog");
  const name = aName();
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByLabel("Maximum file size").fill("6 TB");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await dialog.getByText("maximum file size must be at most 5 TiB").waitFor();
  await dialog.getByLabel("Maximum file size").fill("100 mb");
  await dialog.getByLabel("Default quota").fill("1.5GB");
  await dialog.getByRole("switch", { name: "Require file size" }).check();
  await dialog.getByRole("button", { name: "Create project" }).click();
  await keyField(page).waitFor();
  await expectAccessible(page, "projects-key-shown");
  await page.getByRole("button", { name: "I have saved the key" }).click();
  await page.waitForURL(/\/projects\/[^/]+$/);
  const projectRef = new URL(page.url()).pathname.split("/").at(-1)!;
  expect(await owner.calls.projects.read.query({ projectRef })).toMatchObject({
    name,
    defaultQuotaBytes: 1_500_000_000,
    maxFileBytes: 100_000_000,
    requireSize: true,
    allowOverQuota: false,
  });
});

test("searches, sorts and pages the list by its address, and supports the back button", async () => {
  const owner = await dashboard.aNewUser();
  const { page } = owner;
  await page.goto("/");
  await page.getByRole("heading", { name: "No projects yet" }).waitFor();
  await expectAccessible(page, "projects-empty");
  const names = ["cherry", "Apple", "banana"];
  for (const name of names) await dashboard.aProject(owner, { name });
  await page.reload();
  const rows = page.getByRole("table").getByRole("link");
  await expect.poll(() => rows.allInnerTexts()).toEqual(["banana", "Apple", "cherry"]);
  await page.getByRole("button", { name: /^Name/ }).click();
  await expect.poll(() => rows.allInnerTexts()).toEqual(["Apple", "banana", "cherry"]);
  await page.getByRole("button", { name: /^Name/ }).click();
  await expect.poll(() => rows.allInnerTexts()).toEqual(["cherry", "banana", "Apple"]);
  await page.goBack();
  await expect.poll(() => rows.allInnerTexts()).toEqual(["Apple", "banana", "cherry"]);
  await expectAccessible(page, "projects-list");
  await page.getByRole("searchbox", { name: "Search by name" }).fill("AN");
  await expect.poll(() => rows.allInnerTexts()).toEqual(["banana"]);
  await expect.poll(() => new URL(page.url()).search).toBe("?q=AN&sort=name");
  await page.reload();
  await expect.poll(() => rows.allInnerTexts()).toEqual(["banana"]);
  await page.getByRole("searchbox", { name: "Search by name" }).fill("nowhere");
  await page.getByText("No results").waitFor();

  for (let i = 0; i < 48; i++) await dashboard.aProject(owner, { name: `p${i}` });
  await page.goto("/");
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(() => rows.allInnerTexts()).toEqual(["cherry"]);
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(50);
});
