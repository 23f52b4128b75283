import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { anExample, type Example } from "../fixtures/an-example.js";

/*
 * The three places where the example app uses the widget: documents, a profile picture and a support form.
 */
let example: Example;
beforeAll(async () => void (example = await anExample()));
afterAll(() => example?.[Symbol.asyncDispose]());

let context: BrowserContext;
let page: Page;
let consoleErrors: string[];
beforeEach(async () => {
  ({ context, page, consoleErrors } = await example.open());
  await page.getByRole("button", { name: "Ada Lovelace" }).click();
});
afterEach(async () => {
  await context.close();
  // The route of pictures completes an upload when its variant is made, and answers 409 until then.
  expect(consoleErrors.filter((line) => !line.includes("status of 409"))).toEqual([]);
});

const open = (name: string) => page.getByRole("link", { name, exact: true }).click();
const choose = (...paths: string[]) => page.locator("input[type=file]").setInputFiles(paths);

async function aFile(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(example.folder, name);
  await writeFile(path, bytes);
  return path;
}

/** Creates a PNG of one colour, as a screenshot of a page. */
async function aPicture(name: string, colour: string): Promise<string> {
  const blankPage = await context.newPage();
  await blankPage.setViewportSize({ width: 40, height: 40 });
  await blankPage.setContent(`<body style="background:${colour}">`);
  const bytes = await blankPage.screenshot();
  await blankPage.close();
  return aFile(name, bytes);
}

const profilePicture = () => page.getByRole("img", { name: "Ada Lovelace" });
const shownWidth = () => profilePicture().evaluate((image: HTMLImageElement) => image.naturalWidth);

/** @returns null while there is no picture */
async function shownUrl(): Promise<string | null> {
  return (await profilePicture().count()) === 0 ? null : profilePicture().getAttribute("src");
}

/** Replaces the profile picture, and waits until the page has finished its upload. Until then it refuses another one. */
async function replacePicture(colour: string): Promise<void> {
  const before = await shownUrl();
  await choose(await aPicture(`${colour}.png`, colour));
  // The page shows the chosen file itself. Before that it may still load the stored picture.
  await expect
    .poll(shownUrl)
    .toSatisfy((url: string | null) => url?.startsWith("blob:") === true && url !== before);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
}

/** The names of the files that are stored in the example's project. */
async function storedNames(): Promise<string[]> {
  const sql = postgres(inject("stowage").databaseUrl, { max: 1 });
  try {
    const rows = await sql<{ filename: string }[]>`
      select f.filename from files f join projects p on p.id = f.project_id
      where p.ref = ${example.projectRef} and f.status = 'stored'`;
    return rows.map((row) => row.filename).sort();
  } finally {
    await sql.end();
  }
}

test("downloads and deletes a document from the list", async () => {
  await choose(await aFile("minutes.txt", "the minutes"));
  const link = page.getByRole("link", { name: "minutes.txt" });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("minutes.txt");
  expect(await (await download.createReadStream()).toArray()).toEqual([Buffer.from("the minutes")]);
  // Asks first. Without a listener, Playwright says no.
  await page.getByRole("button", { name: "Delete minutes.txt" }).click();
  await link.waitFor();
  expect(await storedNames()).toEqual(["minutes.txt"]);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: "Delete minutes.txt" }).click();
  await link.waitFor({ state: "detached" });
  expect(await storedNames()).toEqual([]);
});

test("shows an uploaded picture, replaces it several times, and deletes each old picture", async () => {
  await open("Profile");
  for (const colour of ["red", "green", "blue"]) {
    await replacePicture(colour);
    await expect.poll(shownWidth).toBe(40);
    expect(await storedNames()).toEqual([`${colour}.png`]);
  }
  await page.reload();
  await expect.poll(shownWidth).toBe(40);
});

test("takes the picture from the browser's cache on the next visit", async () => {
  await open("Profile");
  await replacePicture("red");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const isFromCache: boolean[] = [];
  const fromMemory = new Set<string>();
  session.on("Network.requestServedFromCache", ({ requestId }) => fromMemory.add(requestId));
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (type === "Image" && response.url.includes("X-Amz-Signature")) {
      isFromCache.push(fromMemory.has(requestId) || (response.fromDiskCache ?? false));
    }
  });
  // The URL changes once in 7.5 minutes. The visit after that gets the new one from the cache.
  await expect
    .poll(
      async () => {
        await page.reload();
        await expect.poll(shownWidth).toBe(40);
        return isFromCache.at(-1);
      },
      { timeout: 90_000 },
    )
    .toBe(true);
  expect(isFromCache.length).toBeLessThanOrEqual(3);
});

test("sends a form after its attachments have arrived", async () => {
  await open("Support");
  await page.getByLabel("Subject").fill("A question");
  await page.getByLabel("Message").fill("How are you?");
  // The upload requests wait until the form has been submitted.
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/stowage/request", async (route) => {
    await released;
    await route.continue();
  });
  await choose(await aFile("one.txt", "1"), await aFile("two.txt", "22"));
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("The form will be sent when all files are uploaded.").first().waitFor();
  expect(new URL(page.url()).search).toBe("");
  release();
  await page.getByText("Your message was sent with 2 attachments.").waitFor();
  expect(await storedNames()).toEqual(expect.arrayContaining(["one.txt", "two.txt"]));
});

test("deletes a file that is removed from the form, and refuses a file before it is sent", async () => {
  await open("Support");
  // Until the page has loaded the route's limits, only the server refuses files.
  await page.locator('input[type=file][accept*=".txt"]').waitFor({ state: "attached" });
  await choose(await aFile("off.txt", "x"), await aFile("tool.exe", "MZ"));
  await page.locator("li[data-status=failed]", { hasText: "tool.exe" }).waitFor();
  await page.locator("li[data-status=done]", { hasText: "off.txt" }).waitFor();
  await page.getByRole("button", { name: "Remove off.txt" }).click();
  await page.locator("li", { hasText: "off.txt" }).waitFor({ state: "detached" });
  expect(await storedNames()).not.toContain("off.txt");
});
