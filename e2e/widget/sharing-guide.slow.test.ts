import { readFile } from "node:fs/promises";
import { createStowageClient } from "@stowage/server/client";
import type { Page } from "playwright-core";
import { beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { buildGuidePage, reactPage } from "../fixtures/build-guide-page.js";
import { sharedChromium } from "../fixtures/chromium.js";
import { aPageHarness } from "./fixtures/a-page-harness.js";

const PAGE = reactPage('import { SharedFiles } from "./shared-files.js";', "<SharedFiles />");

const harness = aPageHarness();
let pageDir: string;
beforeAll(async () => void (pageDir = await buildGuidePage("sharing.md", ["shared-files.tsx"], PAGE)));

/** Opens the page of a user who has stored one file with the text "hello". */
async function openPage(filename: string) {
  const stowage = {
    allowList: true,
    allowShare: ({ file }: { file: { filename: string } }) => file.filename !== "secret.txt",
  };
  const opened = await harness.openPage({ pageDir, stowage });
  const { url: baseUrl, demo } = inject("stowage");
  const client = createStowageClient({ apiKey: demo.apiKey, baseUrl });
  const file = { tenantId: opened.user, file: Buffer.from("hello"), filename };
  const { filePath } = await client.upload(file);
  await opened.page.reload();
  const click = (name: string) => opened.page.getByRole("button", { name, exact: true }).click();
  const says = (text: string | RegExp) => opened.page.getByRole("status").getByText(text).waitFor();
  return { ...opened, click, says, links: client.links({ filePath }) };
}

/** Opens a browser that knows no session of the customer's app. */
async function aVisitor(): Promise<Page> {
  const context = await (await sharedChromium()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  return page;
}

test("the page of docs/sharing.md shares a file with a visitor, counts downloads, and stops it", async () => {
  const { page, click, says, consoleErrors } = await openPage("notes.txt");
  await click("Share notes.txt");
  await says(/\/s\//);
  const url = (await page.getByRole("status").textContent())!;

  const visitor = await aVisitor();
  const downloading = visitor.waitForEvent("download");
  // A download ends the navigation.
  await visitor.goto(url).catch(() => null);
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("notes.txt");
  expect(await readFile(await download.path(), "utf8")).toBe("hello");

  await click("Stop sharing notes.txt");
  await says("No longer shared. Downloads: 1");
  expect((await visitor.goto(url))?.status()).toBe(404);
  await visitor.getByRole("heading", { name: "This link does not work" }).waitFor();
  expect(consoleErrors).toEqual([]);
});

test("the page of docs/sharing.md says that a file cannot be shared", async () => {
  const { page, click, says, links } = await openPage("secret.txt");
  await click("Share secret.txt");
  await says("This file cannot be shared here.");
  await page.reload();
  await click("Stop sharing secret.txt");
  await says("This file cannot be shared here.");
  expect(await links.next()).toMatchObject({ done: true });
});
