import { setTimeout as sleep } from "node:timers/promises";
import { readFile } from "node:fs/promises";
import { thumbnailMaxBytes } from "@stowage/operator-schemas";
import { expect, inject, test } from "vitest";
import { aFolder } from "../fixtures/a-run.js";
import { createPhotos } from "../fixtures/photos.js";
import { aDashboard, expectAccessible, expectConsoleErrors } from "./fixtures/a-dashboard.js";
import { copiedBy } from "./fixtures/copied-by.js";
import { aPdf, aPng, aWav, aWebm } from "./fixtures/small-files.js";
import { openFilePage } from "./fixtures/open-file-page.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const storageOrigin = () => new URL(inject("stowage").storage["S3_ENDPOINT"]!).origin;

/** Stores `photo.jpg` in a new project whose preset makes a variant of it at once. `bytes` is the size of the photo. */
async function aStoredPhoto(of: {
  preset: { name: string; width: number };
  photo: { width: number; height: number };
}) {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await owner.calls.presets.save.mutate({ projectRef: project.ref, ...of.preset, eager: true });
  await using folder = await aFolder();
  const [photo] = await createPhotos(owner.context, folder.path, { count: 1, ...of.photo });
  const bytes = await readFile(photo!);
  await uploadsTo(dashboard.url, project).store({ filename: "photo.jpg", bytes });
  const { files } = await owner.calls.files.list.query({ projectRef: project.ref });
  return { owner, page: owner.page, project, fileId: files[0]!.id, bytes: bytes.length };
}

const aFilePage = (upload: Parameters<typeof openFilePage>[1]) => openFilePage(dashboard, upload);

test("shows an image from storage's own origin, with its details", async () => {
  const { page, preview, path, address } = await aFilePage({
    filename: "house.png",
    bytes: aPng(320, 200),
    tenantId: "acme",
    metadata: { invoice: "1001", "uploaded by": "Ada" },
  });
  const picture = preview.getByRole("img", { name: "Preview of house.png" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320);
  expect(new URL((await picture.getAttribute("src"))!).origin).toBe(storageOrigin());
  expect(await picture.getAttribute("referrerpolicy")).toBe("no-referrer");
  const details = page.getByRole("region", { name: "Details" });
  await details.getByText(path).waitFor();
  await details.getByText("image/png").waitFor();
  await page.getByRole("row", { name: "invoice 1001" }).waitFor();
  const history = page.getByRole("region", { name: "History" });
  await history.getByText("Upload requested").waitFor();
  await history.getByText("Stored", { exact: true }).waitFor();
  await expectAccessible(page, "file");
  expect(await copiedBy(details.getByRole("button", { name: "Copy path" }))).toBe(path);
  await details.getByRole("link", { name: "acme" }).click();
  await page.waitForURL("**/tenants/acme");
  await page.goBack();
  await page.waitForURL(`**${address}`);
});

test("shows the variant of a large image once it is made, and the original on request", async () => {
  const { owner, page, project, fileId } = await aStoredPhoto({
    preset: { name: "page", width: 800 },
    photo: { width: 1600, height: 1200 },
  });
  const links = () => owner.calls.files.links.mutate({ projectRef: project.ref, fileId });
  await expect.poll(async () => (await links()).variantUrl, { timeout: 90_000 }).not.toBeNull();

  const loaded: string[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "image") loaded.push(new URL(request.url()).pathname);
  });
  const original = (path: string) => !path.includes("/variants/") && path.includes(project.ref);
  await page.goto(`/projects/${project.ref}/files/${fileId}`);
  const preview = page.getByRole("region", { name: "Preview" });
  const picture = preview.getByRole("img", { name: "Preview of photo.jpg" });
  const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBe(800);
  await preview.getByText("This is a smaller variant of the image.").waitFor();
  expect(loaded.filter(original)).toEqual([]);
  await expectAccessible(page, "file-variant");

  const toggle = preview.getByRole("button", { name: /^Show original \(\d+/ });
  await toggle.press("Enter");
  await expect.poll(width).toBe(1600);
  await preview.getByText("This is the original image.").waitFor();
  // The width is known before the last bytes are there. Hidden then, the image would not be loaded to its end.
  await expect.poll(() => loaded.filter(original).length).toBe(1);
  // The button keeps the focus.
  await page.keyboard.press("Enter");
  await expect.poll(width).toBe(800);
  expect(loaded.filter(original)).toHaveLength(1);

  // The variant goes away while the page is open.
  await page.route(/\/variants\//, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await expect.poll(width).toBe(1600);
  await expect.poll(() => preview.getByRole("button").count()).toBe(0);
  expectConsoleErrors(owner.consoleErrors, /status of 404/);
});

test("a list has thumbnails of images that are too large to be shown themselves", async () => {
  const { owner, page, project, fileId, bytes } = await aStoredPhoto({
    preset: { name: "thumb", width: 96 },
    photo: { width: 2800, height: 2100 },
  });
  expect(bytes).toBeGreaterThan(thumbnailMaxBytes);
  const fileIds = [fileId];
  const thumbnails = () => owner.calls.files.thumbnails.mutate({ projectRef: project.ref, fileIds });
  await expect.poll(async () => (await thumbnails()).length, { timeout: 90_000 }).toBe(1);
  await page.goto(`/projects/${project.ref}/files`);
  const image = page.getByRole("row", { name: "photo.jpg" }).locator("img");
  await expect.poll(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96);
});

test("a member makes a file public, sees its URL, and makes it private again; the audit log has both", async () => {
  const { page, project, calls } = await aFilePage({ filename: "logo.png", bytes: aPng(32, 20) });
  const details = page.getByRole("region", { name: "Details" });
  await page.getByRole("button", { name: "Make public" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Make this file public?").waitFor();
  await expectAccessible(page, "make public");
  await dialog.getByRole("button", { name: "Make public" }).click();
  await page.getByText("The file is public.").waitFor();
  await details.getByText("Public URL").waitFor();
  const url = await copiedBy(details.getByRole("button", { name: "Copy Public URL" }));
  expect((await fetch(url)).status).toBe(200);

  await page.getByRole("button", { name: "Make private" }).click();
  await dialog.getByRole("button", { name: "Make private" }).click();
  await page.getByText("The file is private.").waitFor();
  expect((await fetch(url)).status).toBe(403);
  await page.getByRole("button", { name: "Make public" }).waitFor();
  const { lines } = await calls.audit.list.query({ projectRef: project.ref });
  expect(lines.map(({ action }) => action).slice(0, 2)).toEqual(["file.made_private", "file.made_public"]);
});

test("a page is not offered to be made public", async () => {
  const { page } = await aFilePage({ filename: "page.html", bytes: Buffer.from("<p>") });
  await page.getByRole("button", { name: "Put on hold" }).waitFor();
  expect(await page.getByRole("button", { name: "Make public" }).count()).toBe(0);
});

test("plays audio, and requests a new URL when the old one has expired", async () => {
  const { page, preview, address } = await aFilePage({ filename: "beep.wav", bytes: aWav(2) });
  await page.clock.install();
  await page.goto(address);
  const player = preview.locator("audio");
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(2);
  const src = await player.getAttribute("src");
  // Two URLs that are signed in the same second are identical.
  await sleep(1100);
  await page.clock.fastForward("05:01");
  await player.evaluate((audio) => audio.dispatchEvent(new Event("error")));
  await expect.poll(() => player.getAttribute("src")).not.toBe(src);
});

test("plays a video", async () => {
  const { preview } = await aFilePage(async (page) => ({
    filename: "square.webm",
    bytes: await aWebm(page),
  }));
  const player = preview.locator("video");
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(64);
});

test("shows a PDF in a frame of storage's origin, or a message if the browser does not display PDFs", async () => {
  const { page, preview, address } = await aFilePage({ filename: "letter.pdf", bytes: aPdf() });
  await page.addInitScript(
    "Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => window.name !== 'no' })",
  );
  await page.goto(address);
  const source = (await preview.getByTitle("Preview of letter.pdf").getAttribute("src"))!;
  expect(new URL(source).origin).toBe(storageOrigin());
  // The headers of an answer that Chromium's PDF viewer takes over sometimes do not reach the test.
  const headers = (await page.request.get(source)).headers();
  expect(headers["content-type"]).toBe("application/pdf");
  expect(headers["content-disposition"]).toMatch(/^inline/);
  await page.evaluate("window.name = 'no'");
  await page.reload();
  await preview.getByText("This browser cannot show PDFs", { exact: false }).waitFor();
});

test("shows the first page of a PDF in lists, and on its page if the browser does not display PDFs", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page, calls } = owner;
  const projectRef = project.ref;
  for (const preset of [
    { name: "thumb", width: 96 },
    { name: "page", width: 600 },
  ])
    await calls.presets.save.mutate({ projectRef, ...preset, eager: true });
  await uploadsTo(dashboard.url, project).store({ filename: "letter.pdf", bytes: aPdf() });
  const { files } = await calls.files.list.query({ projectRef });
  const fileId = files[0]!.id;
  const thumbnails = () => calls.files.thumbnails.mutate({ projectRef, fileIds: [fileId] });
  await expect.poll(async () => (await thumbnails()).length, { timeout: 90_000 }).toBe(1);
  const links = () => calls.files.links.mutate({ projectRef, fileId });
  await expect.poll(async () => (await links()).variantUrl, { timeout: 90_000 }).not.toBeNull();

  await page.addInitScript("Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => false })");
  await page.goto(`/projects/${projectRef}/files`);
  const widthOf = (image: HTMLImageElement) => image.naturalWidth;
  await expect
    .poll(() => page.getByRole("row", { name: "letter.pdf" }).locator("img").evaluate(widthOf))
    .toBe(96);
  await expectAccessible(page, "files-pdf");
  await page.goto(`/projects/${projectRef}/files/${fileId}`);
  const preview = page.getByRole("region", { name: "Preview", exact: true });
  const picture = preview.getByRole("img", { name: "Preview of letter.pdf" });
  await expect.poll(() => picture.evaluate(widthOf)).toBe(600);
  await preview.getByText("This is the first page.", { exact: false }).waitFor();
  expect(await preview.getByRole("button").count()).toBe(0);
  await expectAccessible(page, "file-pdf");
});

test("downloads the uploaded bytes under the exact name of the file", async () => {
  const filename = "Été à la mer; 100% “alle” Größen.bin";
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 251));
  const { page, preview } = await aFilePage({ filename, bytes });
  await preview.getByText("Files of this type have no preview", { exact: false }).waitFor();
  const begun = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const download = await begun;
  expect(download.suggestedFilename()).toBe(filename);
  expect(new URL(download.url()).origin).toBe(storageOrigin());
  expect((await readFile(await download.path())).equals(bytes)).toBe(true);
});

test("shows a message with a retry for an image that cannot be decoded", async () => {
  const { preview, consoleErrors } = await aFilePage({ filename: "broken.png", bytes: "no picture" });
  await preview.getByText("This file cannot be shown.", { exact: false }).waitFor();
  await preview.getByRole("button", { name: "Try again" }).click();
  await preview.getByText("This file cannot be shown.", { exact: false }).waitFor();
  expect(consoleErrors).toEqual([]);
});

test("keeps the page and history of a deleted file, also in another open page", async () => {
  const { page, context, address, consoleErrors } = await aFilePage({ filename: "old.txt", bytes: "old" });
  const other = await context.newPage();
  await other.goto(address);
  await other.getByRole("button", { name: "Download" }).waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 file" }).click();
  await page.getByText("This file was deleted").waitFor();
  await page.getByRole("region", { name: "History" }).getByText("Deleted", { exact: true }).waitFor();
  await expectAccessible(page, "file-deleted");
  await other.getByRole("button", { name: "Download" }).click();
  await other.getByText("This file was deleted").waitFor();
  // Chromium logs a 404 only for a request that is not part of a batch.
  expect(consoleErrors.splice(0).filter((line) => !line.includes("404"))).toEqual([]);
});

test("shows a message at an address without a file", async () => {
  const { page, project, consoleErrors } = await aFilePage({ filename: "a.txt" });
  for (const id of ["999999999", "abc"]) {
    await page.goto(`/projects/${project.ref}/files/${id}`);
    await page.getByText("File not found").waitFor();
  }
  // Chromium logs a 404 only for a request that is not part of a batch.
  expect(consoleErrors.splice(0).filter((line) => !line.includes("404"))).toEqual([]);
});

test("renames and moves a file, and the audit log says who did it", async () => {
  const { page, calls, project, consoleErrors } = await aFilePage({
    filename: "old.txt",
    bytes: "hello",
    folder: "inbox",
  });
  await page.getByRole("button", { name: "Rename or move" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename or move this file" });
  const save = dialog.getByRole("button", { name: "Save" });
  await dialog.waitFor();
  expect(await save.isDisabled()).toBe(true);
  await expectAccessible(page, "file-rename");
  await dialog.getByLabel("Folder").fill("../up");
  await save.click();
  await dialog.getByText('a segment of folder must not be empty, "." or ".."').waitFor();
  expectConsoleErrors(consoleErrors, /status of 400/);
  await dialog.getByLabel("Name").fill("new.txt");
  await dialog.getByLabel("Folder").fill("reports/2026");
  await save.click();
  await page.getByRole("heading", { name: "new.txt" }).waitFor();
  await page.getByRole("region", { name: "Details" }).getByText("reports/2026").waitFor();
  await page.getByText("Renamed, moved, or metadata changed").waitFor();
  const { lines } = await calls.audit.list.query({ projectRef: project.ref });
  expect(lines.filter(({ action }) => action === "file.updated")).toMatchObject([
    { details: { filename_before: "old.txt", folderChanged: true } },
  ]);
});
