import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { translatePage } from "../fixtures/translate-page.js";
import { aDashboard } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const pressInDialog = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

test("a page that the browser translates shows each change, and never goes blank", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, { trashDays: 7 });
  const uploads = uploadsTo(dashboard.url, project);
  await uploads.store({ filename: "report.pdf", bytes: "x".repeat(3000) });
  await uploads.store({ filename: "notes.txt", bytes: "hello" });
  const { page } = await dashboard.aMember(owner, project, "owner");
  await page.addInitScript(translatePage as () => void);
  const at = `/projects/${project.ref}`;
  const states = page.getByRole("navigation", { name: "Files by state" });
  const shows = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor();

  for (const [path, text] of [
    ["", "Newest uploads"],
    ["/webhooks", "Add endpoint"],
    ["/tenants", "user_1"],
  ] as const) {
    await page.goto(`${at}${path}`);
    await shows(text);
  }
  // Counts, selections, dialogs, and what follows from them.
  await page.goto(`${at}/files`);
  await page.getByRole("checkbox", { name: "Select report.pdf" }).check();
  await press(page, "Delete 1 file");
  await shows("It can be restored for 7 days.");
  await pressInDialog(page, "Move 1 file to the trash");
  await shows("1 file was moved to the trash.");
  await states.getByText("In the trash").click();
  await shows("removed in 7 days");
  await page.getByRole("checkbox", { name: "Select report.pdf" }).check();
  await press(page, "Restore");
  await shows("1 file was restored.");
  // The texts of one file change with its state.
  await press(page, "All files");
  await page.getByRole("link", { name: "report.pdf" }).click();
  await press(page, "Put on hold");
  await shows("1 file is on hold. Nothing deletes it.");
  await press(page, "Release hold");
  await shows("1 file was released.");
  await press(page, "Delete");
  await pressInDialog(page, "Move 1 file to the trash");
  await press(page, "Restore");
  await page.getByRole("button", { name: "Put on hold" }).waitFor();
  await page.goto(`${at}/settings`);
  const limits = page.getByRole("region", { name: "Upload limits" });
  await limits.getByLabel("Days in the trash").fill("3");
  await limits.getByRole("button", { name: "Save" }).click();
  await shows("The settings were saved.");
  await page.goto(`${at}/key`);
  await press(page, "Regenerate key");
  await page.getByRole("dialog").getByText(project.name).first().waitFor();
  expect(await page.locator("font").count()).toBeGreaterThan(0);
});

test("what is a name or code is not translated", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await uploadsTo(dashboard.url, project).store({ filename: "monthly report.pdf", bytes: "x" });
  const { page } = owner;
  await page.addInitScript(translatePage as () => void);
  await page.goto(`/projects/${project.ref}/files`);
  const link = page.getByRole("link", { name: "monthly report.pdf" });
  await link.waitFor();
  expect(await link.locator("font").count()).toBe(0);
  await link.click();
  const heading = page.getByRole("heading", { level: 1, name: "monthly report.pdf" });
  await heading.waitFor();
  expect(await heading.locator("font").count()).toBe(0);
  expect(await page.locator("code font, kbd font").count()).toBe(0);
  expect(await page.locator("font").count()).toBeGreaterThan(0);
});
