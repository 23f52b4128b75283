import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const row = (page: Page, name: string) =>
  page.getByRole("table", { name: "Files" }).getByRole("row").filter({ hasText: name });
const select = (page: Page, name: string) => page.getByRole("checkbox", { name: `Select ${name}` }).check();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("a member restores a file from the trash, puts it on hold so that nothing deletes it, and deletes it for good", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, { trashDays: 7 });
  const uploads = uploadsTo(dashboard.url, project);
  await uploads.store({ filename: "report.pdf", bytes: "x".repeat(3000) });
  await uploads.store({ filename: "notes.txt", bytes: "hello" });
  const { page } = await dashboard.aMember(owner, project, "member");
  await page.goto(`/projects/${project.ref}/files`);

  await select(page, "report.pdf");
  await press(page, "Delete 1 file");
  const dialog = page.getByRole("dialog", { name: "Move 1 file to the trash?" });
  await dialog.getByText("It can be restored for 7 days.").waitFor();
  await expectAccessible(page, "trash-dialog");
  await dialog.getByRole("button", { name: "Move 1 file to the trash" }).click();
  await page.getByText("1 file was moved to the trash.").waitFor();
  await row(page, "report.pdf").waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Files by state" }).getByText("In the trash").click();
  await row(page, "report.pdf").getByText("removed in 7 days").last().waitFor();
  await select(page, "report.pdf");
  await page.getByRole("button", { name: "Delete 1 file for good" }).waitFor();
  await expectAccessible(page, "trash");
  await press(page, "Restore");
  await page.getByText("1 file was restored.").waitFor();
  await row(page, "report.pdf").waitFor({ state: "detached" });

  await press(page, "All files");
  await select(page, "report.pdf");
  await press(page, "Put on hold");
  await page.getByText("1 file is on hold. Nothing deletes it.").waitFor();
  await row(page, "report.pdf").getByText("On hold").last().waitFor();
  await select(page, "report.pdf");
  await press(page, "Delete 1 file");
  await page.getByRole("dialog").getByRole("button", { name: "Move 1 file to the trash" }).click();
  await page.getByText("1 file is on hold and was kept.").waitFor();

  await row(page, "report.pdf").getByRole("link", { name: "report.pdf" }).click();
  await press(page, "Release hold");
  await page.getByText("1 file was released.").waitFor();
  await page.getByRole("button", { name: "Put on hold" }).waitFor();
  await press(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Move 1 file to the trash" }).click();
  await page.getByRole("button", { name: "Restore" }).waitFor();
  await expectAccessible(page, "trash-file");
  await press(page, "Delete for good");
  await page.getByRole("dialog").getByText("This cannot be undone").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 file for good" }).click();
  await expect.poll(() => page.getByText("This file was deleted").count(), { timeout: 90_000 }).toBe(1);
});
