import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { anExample } from "./fixtures/an-example.js";

/*
 * The three ways in which the example uses the widget, as its user would: documents, a picture, a form.
 */
let example: Awaited<ReturnType<typeof anExample>>;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.stop());

let context: BrowserContext;
let page: Page;
let complaints: string[];
beforeEach(async () => {
  ({ context, page, complaints } = await example.open());
  await page.getByRole("button", { name: "Ada Lovelace" }).click();
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const go = (name: string) => page.getByRole("link", { name, exact: true }).click();
const choose = (...paths: string[]) => page.locator("input[type=file]").setInputFiles(paths);

async function aFile(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(example.folder.path, name);
  await writeFile(path, bytes);
  return path;
}

/** A picture of one colour, as this browser makes them. */
async function aPicture(name: string, colour: string): Promise<string> {
  const sheet = await context.newPage();
  await sheet.setViewportSize({ width: 40, height: 40 });
  await sheet.setContent(`<body style="background:${colour}">`);
  const bytes = await sheet.screenshot();
  await sheet.close();
  return aFile(name, bytes);
}

async function storedNames(): Promise<string[]> {
  const sql = postgres(example.local.databaseUrl, { max: 1 });
  try {
    const rows = await sql<{ filename: string }[]>`select filename from files where status = 'stored'`;
    return rows.map((row) => row.filename).sort();
  } finally {
    await sql.end();
  }
}

test("a document is downloaded and deleted from the list", async () => {
  await choose(await aFile("minutes.txt", "what was said"));
  const link = page.getByRole("link", { name: "minutes.txt" });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("minutes.txt");
  expect(await (await download.createReadStream()).toArray()).toEqual([Buffer.from("what was said")]);
  await page.getByRole("button", { name: "Delete minutes.txt" }).click();
  await link.waitFor({ state: "detached" });
  expect(await storedNames()).toEqual([]);
});

test("a picture is shown once the backend has it, changed again and again, and none is left behind", async () => {
  await go("Profile");
  const picture = page.getByRole("img", { name: "Ada Lovelace" });
  let shownBefore = "";
  for (const colour of ["red", "green", "blue"]) {
    await choose(await aPicture(`${colour}.png`, colour));
    await expect.poll(() => picture.getAttribute("src")).not.toBe(shownBefore || null);
    shownBefore = (await picture.getAttribute("src")) ?? "";
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
  }
  expect(await storedNames()).toEqual(["blue.png"]);
  await page.reload();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
});

test("a form is sent with its attachments, after they have arrived", async () => {
  await go("Support");
  await page.getByLabel("Subject").fill("A question");
  await page.getByLabel("Message").fill("How are you?");
  // Held back until the form has been submitted.
  let letGo = () => {};
  const asked = new Promise<void>((resolve) => (letGo = resolve));
  await page.route("**/api/stowage/request", async (route) => {
    await asked;
    await route.continue();
  });
  await choose(await aFile("one.txt", "1"), await aFile("two.txt", "22"));
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("The form will be sent when all files are uploaded.").first().waitFor();
  expect(new URL(page.url()).search).toBe("");
  letGo();
  await page.getByText("Your message was sent with 2 attachments.").waitFor();
  expect(await storedNames()).toEqual(expect.arrayContaining(["one.txt", "two.txt"]));
});

test("what is taken off a form is deleted, and what the route refuses is said before anything is sent", async () => {
  await go("Support");
  // Before the page has learned the route's limits, it is the server that refuses.
  await page.locator('input[type=file][accept*=".txt"]').waitFor({ state: "attached" });
  await choose(await aFile("off.txt", "x"), await aFile("tool.exe", "MZ"));
  await page.locator("li[data-status=failed]", { hasText: "tool.exe" }).waitFor();
  await page.locator("li[data-status=done]", { hasText: "off.txt" }).waitFor();
  await page.getByRole("button", { name: "Remove off.txt" }).click();
  await page.locator("li", { hasText: "off.txt" }).waitFor({ state: "detached" });
  expect(await storedNames()).not.toContain("off.txt");
});
