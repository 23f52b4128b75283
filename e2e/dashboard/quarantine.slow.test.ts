import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const inTable = (page: Page, table: string, name: string) =>
  page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: name });

test("an owner lets a scanner check files, releases a false alarm from quarantine, and deletes an infected file", async () => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  const project = await dashboard.aProject(owner, { trashDays: 7 });
  const uploads = uploadsTo(dashboard.url, project);
  await page.goto(`/projects/${project.ref}/settings`);
  const form = page.getByRole("region", { name: "Virus scanning" });
  await form.getByRole("radio", { name: "Your own scanner" }).check();
  await expectAccessible(page, "settings-scan");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("The settings were saved.").waitFor();
  await form.getByRole("link", { name: "Files in quarantine" }).click();
  await page.getByText("No files in quarantine").waitFor();
  await expectAccessible(page, "quarantine-empty");

  const invoice = await uploads.store({ filename: "invoice.pdf", bytes: "x".repeat(3000) });
  const backup = await uploads.store({ filename: "backup.zip", bytes: "y".repeat(2000) });
  await page.getByRole("link", { name: "All files" }).click();
  await inTable(page, "Files", "invoice.pdf").getByText("Waits for its scan").last().waitFor();
  await uploads.reportScan(invoice, "infected", "Win.Test.EICAR_HDB-1");
  await uploads.reportScan(backup, "unscannable");
  await page.getByRole("link", { name: "invoice.pdf" }).click();
  await page.getByText("Found: Win.Test.EICAR_HDB-1").waitFor();
  await page.getByText("The preview is available once the virus scan finds nothing.").waitFor();
  expect(await page.getByRole("button", { name: "Download" }).count()).toBe(0);
  await expectAccessible(page, "quarantine-file");

  await page.getByRole("link", { name: "All files in quarantine" }).click();
  await inTable(page, "Files in quarantine", "backup.zip").waitFor();
  await expectAccessible(page, "quarantine");
  await page.getByRole("button", { name: "Release backup.zip" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Your users can download the file from then on.").waitFor();
  await expectAccessible(page, "quarantine-release");
  await dialog.getByRole("button", { name: "Release" }).click();
  await page.getByText("The file was released. It can be downloaded.").waitFor();
  await inTable(page, "Files in quarantine", "backup.zip").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete invoice.pdf" }).click();
  await dialog.getByRole("button", { name: "Move 1 file to the trash" }).click();
  await inTable(page, "Files in quarantine", "invoice.pdf")
    .getByText("In the trash, removed in 7 days")
    .waitFor();
  expect(await page.getByRole("button", { name: "Release invoice.pdf" }).count()).toBe(0);
  await expectAccessible(page, "quarantine-trash");
  await page.getByRole("button", { name: "Delete for good: invoice.pdf" }).click();
  await dialog.getByRole("button", { name: "Delete 1 file for good" }).click();
  await page.getByText("No files in quarantine").waitFor();

  await page.getByRole("link", { name: "Audit log" }).click();
  const log = page.getByRole("table");
  await log.getByText("Released the file “backup.zip” of tenant “user_1” (2 kB) from quarantine").waitFor();
  await log.getByText("Deleted the file “invoice.pdf” of tenant “user_1” (3 kB)").waitFor();
});
