import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { anExample, type Example } from "../fixtures/an-example.js";
import { axeViolations } from "../fixtures/axe.js";

let example: Example;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.[Symbol.asyncDispose]());

let context: BrowserContext;
let page: Page;
let consoleErrors: string[];
beforeEach(async () => {
  ({ context, page, consoleErrors } = await example.open());
});
afterEach(() => context.close());

const open = (name: string) => page.getByRole("link", { name, exact: true }).click();
const tray = () => page.getByRole("region", { name: "Uploads" });
const row = (status: string) => page.locator(`.stowage-dropzone li[data-status=${status}]`);

const MIB = 1024 * 1024;

async function startSlowUpload(name: string) {
  const path = join(example.folder, name);
  await writeFile(path, Buffer.alloc(2 * MIB, "a"));
  const session = await context.newCDPSession(page);
  const limitTo = (uploadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  // Slower than any test: the upload ends by `finish` only.
  await limitTo(MIB / 64);
  await page.locator("input[type=file]").setInputFiles([path]);
  await row("uploading").waitFor();
  return { finish: () => limitTo(-1) };
}

test("continues with an upload on other pages, shows it in the tray, and lists it on the way back", async () => {
  await page.getByRole("button", { name: "Ada Lovelace" }).click();
  const upload = await startSlowUpload("holiday.mov");
  expect(await tray().count()).toBe(0);
  await open("Profile");
  await tray().getByRole("progressbar", { name: "holiday.mov" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);

  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.type());
    void dialog.dismiss();
  });
  await page.evaluate(() => void setTimeout(() => location.reload()));
  await expect.poll(() => dialogs).toEqual(["beforeunload"]);

  await open("Documents");
  await row("uploading").waitFor();
  await expect.poll(() => tray().count()).toBe(0);
  await open("Support");
  await tray().waitFor();
  await upload.finish();
  await tray().getByText("1 of 1 file uploaded").waitFor();
  await open("Documents");
  await row("done").waitFor();
  await page
    .getByRole("region", { name: /^Stored/ })
    .getByText("holiday.mov")
    .waitFor();
  expect(consoleErrors).toEqual([]);
});

test("shows nothing of a user's uploads to the next user, and cancels them", async () => {
  await page.getByRole("button", { name: "Ada Lovelace" }).click();
  await startSlowUpload("secret.mov");
  await open("Profile");
  await tray().waitFor();
  const cancelled = page.waitForResponse((response) => response.url().endsWith("/api/stowage/cancel"));
  await page.getByRole("button", { name: "Grace Hopper" }).click();
  expect((await cancelled).status()).toBe(200);
  await open("Documents");
  await page.getByText("Nothing yet.").waitFor();
  expect(await page.getByText("secret.mov").count()).toBe(0);
});
