import { readFile } from "node:fs/promises";
import { HeadObjectCommand } from "@aws-sdk/client-s3";
import type { Page } from "playwright-core";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { storageClient } from "../fixtures/storage-client.js";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { aPng } from "./fixtures/small-files.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();

/** Opens the list of a project with four files, as its owner. */
async function aListOfFiles() {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const uploads = uploadsTo(dashboard.url, project);
  const report = await uploads.store({
    filename: "annual report.pdf",
    bytes: "x".repeat(3000),
    tenantId: "acme",
  });
  const holiday = await uploads.store({
    filename: "holiday.png",
    bytes: "x".repeat(40_000),
    tenantId: "acme",
  });
  await uploads.store({ filename: "notes.txt", bytes: "hello", tenantId: "42" });
  await uploads.request({ filename: "film.mp4", bytes: "x".repeat(1_500_000), tenantId: "beta" });
  await owner.page.goto(`/projects/${project.ref}/files`);
  await expectNames(owner.page, ["film.mp4", "notes.txt", "holiday.png", "annual report.pdf"]);
  return { ...owner, owner, project, uploads, paths: { report, holiday } };
}

const table = (page: Page) => page.getByRole("table", { name: "Files" });
const header = (page: Page, name: string) => table(page).locator("th").filter({ hasText: name });
const rows = (page: Page) => table(page).locator("tbody tr");
const expectNames = (page: Page, names: string[]) =>
  expect.poll(() => rows(page).locator("a bdi").filter({ hasText: "." }).allInnerTexts()).toEqual(names);
const choose = async (page: Page, list: string, option: string) => {
  await page.getByRole("combobox", { name: list }).click();
  await page.getByRole("option", { name: option }).click();
};

const view = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Files by state" }).getByRole("button", { name });

/** Whether storage has an object at a path. */
async function isInStorage(path: string): Promise<boolean> {
  const { storage } = inject("stowage");
  const client = storageClient(storage);
  try {
    await client.send(new HeadObjectCommand({ Bucket: storage["S3_BUCKET"], Key: path }));
    return true;
  } catch (error) {
    if ((error as Error).name === "NotFound") return false;
    throw error;
  } finally {
    client.destroy();
  }
}

test("explains how to upload the first file of a project", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await owner.page.goto(`/projects/${project.ref}/files`);
  await owner.page.getByText("No files yet").waitFor();
  await expectAccessible(owner.page, "files-empty");
});

test("keeps each filter in the address, so that the back button removes it and a link shows the same list", async () => {
  const { page, context } = await aListOfFiles();
  await expectAccessible(page, "files-list");
  await page.getByRole("searchbox", { name: "Search by name" }).fill("o");
  await expectNames(page, ["notes.txt", "holiday.png", "annual report.pdf"]);
  await page.getByRole("searchbox", { name: "Tenant ID" }).fill("acme");
  await expectNames(page, ["holiday.png", "annual report.pdf"]);
  await choose(page, "Type", "Images");
  await expectNames(page, ["holiday.png"]);
  const other = await context.newPage();
  await other.goto(page.url());
  await expectNames(other, ["holiday.png"]);
  expect(await other.getByRole("searchbox", { name: "Tenant ID" }).inputValue()).toBe("acme");
  await page.goBack();
  await expectNames(page, ["holiday.png", "annual report.pdf"]);
  await page.goBack();
  await expectNames(page, ["notes.txt", "holiday.png", "annual report.pdf"]);
  await expect.poll(() => page.getByRole("searchbox", { name: "Tenant ID" }).inputValue()).toBe("");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expectNames(page, ["film.mp4", "notes.txt", "holiday.png", "annual report.pdf"]);
});

test("shows a thumbnail of a small image, in a box that does not move the row", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const uploads = uploadsTo(dashboard.url, project);
  await uploads.store({ filename: "notes.txt", bytes: "hello" });
  await uploads.store({ filename: "damaged.png", bytes: "no image" });
  await uploads.store({ filename: "photo.png", bytes: aPng(300, 200) });
  const { page } = await dashboard.aMember(owner, project, "viewer");
  await page.goto(`/projects/${project.ref}/files`);
  const photo = rows(page).filter({ hasText: "photo.png" });
  const width = () => photo.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBe(300);
  // The damaged image is replaced by an icon.
  await expect.poll(() => page.locator("img[referrerpolicy]").count()).toBe(1);
  const heights = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  // The last row has no line below it.
  expect(heights).toEqual([heights[0], heights[0], heights[0]! - 1]);
  expect(heights[0]).toBeLessThanOrEqual(37);
});

test("filters by status, by a numeric tenant ID and by day", async () => {
  const { page } = await aListOfFiles();
  await view(page, "Uploading").click();
  await expectNames(page, ["film.mp4"]);
  await page.goBack();
  await page.getByRole("searchbox", { name: "Tenant ID" }).fill("42");
  await expectNames(page, ["notes.txt"]);
  await page.reload();
  await expectNames(page, ["notes.txt"]);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("button", { name: "To (UTC)" }).click();
  await page.getByRole("button", { name: "Previous month" }).click();
  await page.locator("table button:not([data-outside])").filter({ hasText: /^15$/ }).click();
  await page.getByText("No results").waitFor();
  expect(page.url()).toMatch(/to=\d{4}-\d\d-15/);
});

test("sorts by a click on the header, on the server, and keeps the order in the address", async () => {
  const { page } = await aListOfFiles();
  await header(page, "Name").click();
  await expectNames(page, ["annual report.pdf", "film.mp4", "holiday.png", "notes.txt"]);
  await header(page, "Size").click();
  await expectNames(page, ["film.mp4", "holiday.png", "annual report.pdf", "notes.txt"]);
  expect(await header(page, "Size").getAttribute("aria-sort")).toBe("descending");
  await header(page, "Size").getByRole("button").press("Enter");
  await expectNames(page, ["notes.txt", "annual report.pdf", "holiday.png", "film.mp4"]);
  expect(await header(page, "Size").getAttribute("aria-sort")).toBe("ascending");
  expect(await header(page, "Name").getAttribute("aria-sort")).toBe("none");
  expect(page.url()).toContain("sort=size&order=asc");
  await page.goBack();
  await page.goBack();
  await expectNames(page, ["annual report.pdf", "film.mp4", "holiday.png", "notes.txt"]);
});

/** Inserts 10,060 files with one statement, because uploads would take minutes. The oldest one is needle.bin. */
async function insertManyFiles(project: { ref: string }): Promise<void> {
  const sql = postgres(inject("stowage").databaseUrl, { max: 1 });
  try {
    await sql`
      insert into files (project_id, tenant, path, filename, content_type, size, status, created_at, stored_at, url_expires_at)
      select t.project_id, t.id, 'long/' || t.project_id || '/' || n,
        case n when 10060 then 'needle.bin' else 'f' || n || '.bin' end,
        'application/octet-stream', n, 'stored', now() - n * interval '1 minute', now(), now()
      from tenants t join projects p on p.id = t.project_id, generate_series(1, 10060) n
      where p.ref = ${project.ref}`;
  } finally {
    await sql.end();
  }
}

test("pages a long list by its address, and tells when a search has read only a part of it", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await uploadsTo(dashboard.url, project).request({ filename: "first.txt" });
  await insertManyFiles(project);
  const { page } = owner;
  await page.goto(`/projects/${project.ref}/files`);
  const first = () => rows(page).first().locator("a").first().innerText();
  await expect.poll(first).toBe("first.txt");
  expect(await rows(page).count()).toBe(50);
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(first).toBe("f50.bin");
  const second = page.url();
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(first).toBe("f100.bin");
  await page.goBack();
  await expect.poll(first).toBe("f50.bin");
  await page.goto(second);
  await expect.poll(first).toBe("f50.bin");
  await page.getByText("1,000+ files").waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await expect.poll(first).toBe("f100.bin");
  await page.getByRole("button", { name: "Previous page" }).click();
  await expect.poll(first).toBe("f50.bin");
  await page.reload();
  await expect.poll(first).toBe("f50.bin");
  await page.getByRole("button", { name: "Previous page" }).click();
  await expect.poll(first).toBe("first.txt");
  await expect.poll(() => page.getByRole("button", { name: "Previous page" }).isDisabled()).toBe(true);
  await page.goBack();
  await expect.poll(first).toBe("f50.bin");
  await page.getByRole("button", { name: "First page" }).click();
  await expect.poll(first).toBe("first.txt");
  await page.getByRole("searchbox", { name: "Search by name" }).fill("needle");
  await page.getByText("This part has no results.", { exact: false }).waitFor();
  await expectAccessible(page, "files-search-goes-on");
  await page.getByRole("button", { name: "Search the next part" }).click();
  await expectNames(page, ["needle.bin"]);
});

test("selects a range of files with Shift, by pointer and by keyboard, and announces their number", async () => {
  const { page } = await aListOfFiles();
  const checkbox = (name: string) => page.getByRole("checkbox", { name: `Select ${name}` });
  const announced = page.getByRole("status").filter({ hasText: "selected" });
  await checkbox("film.mp4").click();
  await checkbox("holiday.png").click({ modifiers: ["Shift"] });
  await announced.filter({ hasText: "3 files selected" }).waitFor();
  await page.getByRole("button", { name: "Clear selection" }).click();
  await checkbox("notes.txt").focus();
  await page.keyboard.press("Space");
  await checkbox("annual report.pdf").focus();
  await page.keyboard.press("Shift+Space");
  await announced.filter({ hasText: "3 files selected" }).waitFor();
  expect(await checkbox("film.mp4").isChecked()).toBe(false);
});

test("keeps names and tenants in one line with their full text in a tooltip, and names the tenant on phones", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const long = `${"a very long name ".repeat(10)}.txt`;
  await uploadsTo(dashboard.url, project).request({ filename: long, tenantId: "user_009" });
  const { page } = owner;
  await page.goto(`/projects/${project.ref}/files`);
  const link = rows(page).getByRole("link", { name: "a very long name" });
  const heightOf = async (text: string) =>
    (await rows(page).getByText(text).filter({ visible: true }).last().boundingBox())!.height;
  await link.waitFor();
  expect(await heightOf("user_009")).toBeLessThan(30);
  expect((await link.boundingBox())!.height).toBeLessThan(30);
  await link.focus();
  await page.getByRole("tooltip").getByText(long.trim()).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("tooltip").waitFor({ state: "hidden" });
  await rows(page).locator("time:visible").first().hover();
  await page
    .getByRole("tooltip")
    .getByText(/\d:\d\d/)
    .waitFor();
  await page.mouse.move(0, 0);
  await page.getByRole("tooltip").waitFor({ state: "hidden" });
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => rows(page).getByRole("link", { name: "user_009" }).count()).toBe(1);
  expect(await heightOf("user_009")).toBeLessThan(30);
  await expectAccessible(page, "files-long-name");
});

test("deletes files after a confirmation with their number and size, and updates the usage", async () => {
  const { page, uploads, paths } = await aListOfFiles();
  expect(await isInStorage(paths.report)).toBe(true);
  await page.getByRole("checkbox", { name: "Select annual report.pdf" }).check();
  await page.getByRole("checkbox", { name: "Select holiday.png" }).check();
  await page.getByText("2 files selected, 43 kB").waitFor();
  await page.getByRole("button", { name: "Delete 2 files" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 2 files?" });
  await dialog.getByText("2 files (43 kB)", { exact: false }).waitFor();
  await dialog.getByText("cannot be undone", { exact: false }).waitFor();
  await expectAccessible(page, "files-delete-dialog");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(await isInStorage(paths.report)).toBe(true);
  await page.getByRole("button", { name: "Delete 2 files" }).click();
  await dialog.getByRole("button", { name: "Delete 2 files" }).click();
  await page.getByText("2 files were deleted").waitFor();
  await expectNames(page, ["film.mp4", "notes.txt"]);
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await expect.poll(focused).toMatch(/^H[1-6]$/);
  expect(await uploads.usageOf("acme")).toEqual({ files: 0, bytes: 0 });
  expect(await uploads.usageOf("42")).toEqual({ files: 1, bytes: 5 });
  expect([await isInStorage(paths.report), await isInStorage(paths.holiday)]).toEqual([false, false]);
});

test("an upload turns into one that was not finished when its URL expires, and can be discarded", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const uploads = uploadsTo(dashboard.url, project);
  await uploads.store({ filename: "notes.txt", bytes: "hello" });
  await uploads.request({ filename: "film.mp4", bytes: "x".repeat(1_500_000) });
  const { page } = owner;
  await page.clock.install();
  await page.goto(`/projects/${project.ref}/files`);
  const film = rows(page).filter({ hasText: "film.mp4" });
  await film.getByText("Uploading").last().waitFor();
  await page.clock.fastForward("01:00:01");
  await film.getByText("Not finished").last().waitFor();
  await film.getByText("holds 1.5 MB", { exact: false }).last().waitFor();
  await expectAccessible(page, "files-not-finished");
  await page.getByRole("checkbox", { name: "Select film.mp4" }).check();
  await page.getByRole("button", { name: "Discard 1 upload" }).click();
  const dialog = page.getByRole("dialog", { name: "Discard 1 upload?" });
  await dialog.getByText("1.5 MB of reserved quota", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Discard 1 upload" }).click();
  await page.getByText("1 upload was discarded.").waitFor();
  await expectNames(page, ["notes.txt"]);
  const [entry] = (await owner.calls.audit.list.query({ projectRef: project.ref })).lines;
  expect(entry).toMatchObject({ action: "file.upload_discarded", details: { filename: "film.mp4" } });
});

test("distinguishes files that another person deleted in the meantime", async () => {
  const { page, uploads, paths } = await aListOfFiles();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Delete 4 files" }).click();
  await uploads.remove(paths.report);
  await page.getByRole("dialog").getByRole("button", { name: "Delete 4 files" }).click();
  await page.getByText("3 files were deleted").waitFor();
  await page.getByText("1 file had already been deleted.").waitFor();
  await page.getByText("No files yet").waitFor();
  expect(await uploads.usageOf("acme")).toEqual({ files: 0, bytes: 0 });
});

test("exports exactly the shown list as CSV", async () => {
  const { page } = await aListOfFiles();
  await page.getByRole("searchbox", { name: "Search by name" }).fill("o");
  await page.getByRole("searchbox", { name: "Tenant ID" }).fill("acme");
  await view(page, "Stored").click();
  await expectNames(page, ["holiday.png", "annual report.pdf"]);
  const begun = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as CSV" }).click();
  const download = await begun;
  expect(download.suggestedFilename()).toMatch(/^stowage-files-.*\.csv$/);
  const [header, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(header!.split(",").slice(0, 2)).toEqual(["id", "filename"]);
  expect(lines.map((line) => line.split(",")[1])).toEqual(["holiday.png", "annual report.pdf"]);
});

test("shows viewers the list without selection or deletion", async () => {
  const { owner, project } = await aListOfFiles();
  const { page } = await dashboard.aMember(owner, project, "viewer");
  await page.goto(`/projects/${project.ref}/files`);
  await expectNames(page, ["film.mp4", "notes.txt", "holiday.png", "annual report.pdf"]);
  await page.getByRole("heading", { name: "Files" }).waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await page.getByRole("link", { name: "notes.txt" }).click();
  await page.getByRole("button", { name: "Download" }).waitFor();
  expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
});
