import { beforeAll, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { buildGuidePage, reactPage } from "../fixtures/build-guide-page.js";
import { aPageHarness } from "./fixtures/a-page-harness.js";

const PAGE = reactPage(
  `import { UploadDropzone } from "@stowage/react";
import { Documents } from "./documents.js";`,
  '<UploadDropzone endpoint="/api/stowage" route="report" /><Documents />',
);

const harness = aPageHarness();
let pageDir: string;
beforeAll(async () => void (pageDir = await buildGuidePage("widget.md", ["documents.tsx"], PAGE)));

test("a user uploads into a folder, renames, moves, finds, deletes and restores on the page of docs/widget.md", async () => {
  const { apiKey } = await aProject({ trashDays: 30 });
  const stowage = {
    apiKey,
    allowList: true,
    allowDownload: true,
    allowUpdate: true,
    allowDelete: true,
    allowRestore: true,
    allowFolders: true,
    allowFolderJobs: true,
    routes: { report: { accept: ".txt", folder: "reports" } },
  };
  const { page, user, consoleErrors } = await harness.openPage({ pageDir, stowage });
  const browser = page.locator(".stowage-browser");
  const entries = () => browser.locator(".stowage-entry-open bdi").allTextContents();
  const shows = (...names: string[]) => expect.poll(entries, { timeout: 60_000 }).toEqual(names);
  const says = (text: string) => browser.getByRole("status").getByText(text, { exact: true }).waitFor();
  const click = (name: string) => browser.getByRole("button", { name, exact: true }).click();
  const fill = async (field: string, value: string) => {
    await browser.getByLabel(field, { exact: true }).fill(value);
    await page.keyboard.press("Enter");
  };

  const files = [await harness.file("q1.txt", "first quarter"), await harness.file("q2.txt", "second")];
  await page.locator("input[type=file]").setInputFiles(files);
  await shows("reports");
  await browser.getByText("2 files").waitFor();
  await browser.getByRole("grid").getByRole("button", { name: "reports", exact: true }).click();
  await expect.poll(async () => (await entries()).toSorted()).toEqual(["q1.txt", "q2.txt"]);

  await click("Rename q1.txt");
  await fill("New name of q1.txt", "first quarter.txt");
  await says("Renamed to first quarter.txt.");
  await click("Move q2.txt");
  await fill("Folder of q2.txt", "archive/2026");
  await says("q2.txt was moved to archive/2026.");
  await shows("first quarter.txt");

  const found = async (filter: string) => {
    const response = await fetch(`${inject("stowage").url}/api/storage/files/?tenant_id=${user}&${filter}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(60_000),
    });
    const answer = (await response.json()) as { files: { filename: string }[] };
    return answer.files.map(({ filename }) => filename);
  };
  expect(await found("folder_below=archive&content_type=text/*")).toEqual(["q2.txt"]);
  expect(await found("size_from=10")).toEqual(["first quarter.txt"]);

  await click("Delete first quarter.txt");
  await says("first quarter.txt was deleted.");
  await shows();
  await click("Undo");
  await says("first quarter.txt was restored.");
  await shows("first quarter.txt");

  await browser.getByRole("button", { name: "All files" }).click();
  await shows("archive", "reports");
  await click("Rename archive");
  await fill("New name of archive", "old");
  await says("Renamed to old.");
  await shows("old", "reports");
  expect(await found("folder=old/2026")).toEqual(["q2.txt"]);
  expect(consoleErrors).toEqual([]);
});
