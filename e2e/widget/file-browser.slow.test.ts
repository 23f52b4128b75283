import { randomUUID } from "node:crypto";
import { createStowageClient, type StowageClient } from "@stowage/server/client";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { axeViolations } from "../fixtures/axe.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { aWidgetHarness, type WidgetPage, type WidgetPageOptions } from "./fixtures/a-widget-harness.js";
import { fitsIn320Pixels, modes, setMode, smallTargets } from "./fixtures/accessibility-checks.js";

const harness = aWidgetHarness();

const allowAll = {
  allowList: true,
  allowDownload: true,
  allowDelete: true,
  allowRestore: true,
  allowUpdate: true,
  allowFolders: true,
  allowFolderJobs: true,
};

/** Opens the browser of a user who has these files, such as `reports/2026/a.txt`. The project has a trash. */
async function aBrowser(
  files: string[],
  options: WidgetPageOptions = {},
): Promise<WidgetPage & { client: StowageClient }> {
  const { apiKey } = await aProject({ trashDays: 30 });
  const stowage = { apiKey, ...allowAll, ...options.stowage };
  const opened = await harness.open({ component: "browser", ...options, stowage });
  const client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
  for (const address of files) {
    const [filename = "", ...above] = address.split("/").toReversed();
    const file = new TextEncoder().encode(address);
    await client.upload({ tenantId: opened.user, filename, file, folder: above.toReversed().join("/") });
  }
  await opened.page.reload();
  if (files.length > 0) await opened.page.locator(".stowage-entry").first().waitFor();
  return { ...opened, client };
}

const names = ({ page }: WidgetPage) => page.locator(".stowage-entry-open bdi").allTextContents();
const shows = (browser: WidgetPage, expected: string[]) =>
  expect.poll(() => names(browser)).toEqual(expected);
const focused = ({ page }: WidgetPage) =>
  page.evaluate(() => {
    const active = document.activeElement;
    return active?.getAttribute("aria-label") ?? active?.textContent ?? null;
  });
const hasFocusOn = (browser: WidgetPage, name: string) => expect.poll(() => focused(browser)).toBe(name);
const status = ({ page }: WidgetPage) => page.getByRole("status").textContent();
const says = (browser: WidgetPage, text: string) => expect.poll(() => status(browser)).toBe(text);

const tree = ["old.txt", "reports/2026/deep.txt", "reports/c.txt", "new.txt"];

test("with the keyboard only, a person opens folders, renames, moves, deletes and undoes", async () => {
  const browser = await aBrowser(tree);
  const { keyboard } = browser.page;
  await shows(browser, ["reports", "new.txt", "old.txt"]);
  await browser.page.getByRole("grid").getByRole("button", { name: "reports", exact: true }).focus();

  await keyboard.press("Enter");
  await shows(browser, ["2026", "c.txt"]);
  await hasFocusOn(browser, "2026");
  await keyboard.press("Enter");
  await shows(browser, ["deep.txt"]);
  await keyboard.press("Backspace");
  await shows(browser, ["2026", "c.txt"]);
  await hasFocusOn(browser, "2026");
  await keyboard.press("Backspace");
  await hasFocusOn(browser, "reports");

  await keyboard.press("End");
  await hasFocusOn(browser, "old.txt");
  await keyboard.press("F2");
  await hasFocusOn(browser, "New name of old.txt");
  await keyboard.type("ancient");
  await keyboard.press("Enter");
  await says(browser, "Renamed to ancient.txt.");
  await shows(browser, ["reports", "new.txt", "ancient.txt"]);
  await hasFocusOn(browser, "ancient.txt");
  await keyboard.press("F2");
  await keyboard.type("never");
  await keyboard.press("Escape");
  await shows(browser, ["reports", "new.txt", "ancient.txt"]);
  await hasFocusOn(browser, "ancient.txt");

  await keyboard.press("ArrowUp");
  await hasFocusOn(browser, "new.txt");
  await keyboard.press("Delete");
  await says(browser, "new.txt was deleted.");
  await shows(browser, ["reports", "ancient.txt"]);
  await hasFocusOn(browser, "ancient.txt");
  await browser.page.getByRole("button", { name: "Undo" }).press("Enter");
  await says(browser, "new.txt was restored.");
  await shows(browser, ["reports", "new.txt", "ancient.txt"]);
  await hasFocusOn(browser, "new.txt");

  // From the name to its actions: Rename, then Move.
  await keyboard.press("Tab");
  await keyboard.press("Tab");
  await hasFocusOn(browser, "Move new.txt");
  await keyboard.press("Enter");
  await hasFocusOn(browser, "Folder of new.txt");
  await keyboard.type("reports/2026");
  await keyboard.press("Enter");
  await says(browser, "new.txt was moved to reports/2026.");
  await shows(browser, ["reports", "ancient.txt"]);
  await hasFocusOn(browser, "ancient.txt");
  const stored = (await browser.files()).map(({ filename, status: state }) => [filename, state]);
  expect(stored).toEqual(["ancient.txt", "c.txt", "deep.txt", "new.txt"].map((name) => [name, "stored"]));
  const announced = (await browser.announced()).filter((text) => text !== "Loading files…");
  expect(announced).toEqual([
    "Renamed to ancient.txt.",
    "new.txt was deleted.",
    "new.txt was restored.",
    "new.txt was moved to reports/2026.",
  ]);
  expect(await browser.recorded("liveRegions")).toBe(1);
  expect(await browser.recorded("focusLosses")).toEqual([]);
  expect(browser.consoleErrors).toEqual([]);
});

test.each(["list", "grid"] as const)("the %s has no axe violation and fits any width", async (layout) => {
  const browser = await aBrowser([...tree, "a very long name ".repeat(12)], { browser: { layout } });
  await browser.page.locator(".stowage-entry").first().hover();
  for (const mode of modes) {
    await setMode(mode, browser);
    await saveScreenshot(browser.page, `file-browser-${layout}-${mode}`);
    expect(await axeViolations(browser.page, mode === "dark" ? "colours" : "all"), mode).toEqual([]);
    expect(await smallTargets(browser), mode).toEqual([]);
  }
  expect(await fitsIn320Pixels(browser)).toBe(true);
  await browser.page.getByRole("button", { name: "Rename new.txt" }).click();
  expect(await axeViolations(browser.page)).toEqual([]);
});

test("an empty folder has no axe violation, and says that it is empty", async () => {
  const browser = await aBrowser([]);
  await says(browser, "This folder is empty.");
  expect(await axeViolations(browser.page)).toEqual([]);
});

test("a click on a tile opens it, and arrows move between tiles, in the direction of the text", async () => {
  const files = ["letters/c.txt", "letters/b.txt", "letters/a.txt"];
  const browser = await aBrowser(files, { browser: { layout: "grid" } });
  await browser.page.locator(".stowage-entry").click();
  await shows(browser, ["a.txt", "b.txt", "c.txt"]);
  const { keyboard } = browser.page;
  const linesOfTiles = () =>
    browser.page
      .locator(".stowage-entry")
      .evaluateAll((tiles) => new Set(tiles.map((tile) => tile.getBoundingClientRect().top)).size);
  await expect.poll(linesOfTiles).toBe(1);
  await browser.page.getByRole("link", { name: "a.txt", exact: true }).focus();
  await keyboard.press("ArrowRight");
  await hasFocusOn(browser, "b.txt");
  await setMode("rtl", browser);
  await keyboard.press("ArrowRight");
  await hasFocusOn(browser, "a.txt");
});

test("offers no Undo where a deletion is for good, and says what the backend refuses", async () => {
  const stowage = { allowRestore: false, allowUpdate: false };
  const browser = await aBrowser(["a.txt", "b.txt"], { stowage });
  await browser.page.getByRole("link", { name: "a.txt", exact: true }).focus();
  await browser.page.keyboard.press("F2");
  await browser.page.keyboard.type("x");
  await browser.page.keyboard.press("Enter");
  await browser.page.getByRole("alert").getByText("This file cannot be changed here.").waitFor();
  await browser.page.keyboard.press("Escape");
  await browser.page.keyboard.press("Delete");
  await says(browser, "a.txt was deleted.");
  expect(await browser.page.getByRole("button", { name: "Undo" }).count()).toBe(0);
});

/** Gives the user of a page copies of their only file with one statement, because uploads would take minutes. */
async function copyFile(filename: string, copies: number): Promise<void> {
  const sql = postgres(inject("stowage").databaseUrl, { max: 1 });
  try {
    await sql`
      insert into files
        (project_id, tenant, path, filename, folder, content_type, size, etag, status, url_expires_at, created_at, stored_at)
      select project_id, tenant, path || n, 'file ' || n || '.txt', folder, content_type, size, etag, status, url_expires_at,
        created_at - n * interval '1 minute', stored_at
      from files, generate_series(1, ${copies}::int) n where filename = ${filename}`;
    const owner = sql`from files f where f.filename = ${filename}`;
    const counts = sql`file_count = file_count + ${copies}, used_bytes = used_bytes + ${copies} * f.size`;
    await sql`update tenants t set ${counts} ${owner} and t.project_id = f.project_id and t.id = f.tenant`;
    await sql`update folders d set ${counts} ${owner} and d.project_id = f.project_id and d.tenant = f.tenant`;
  } finally {
    await sql.end();
  }
}

test("renders only what is near of 2,000 files, and reaches the last one by the keyboard", async () => {
  const filename = `${randomUUID()}.txt`;
  const browser = await aBrowser([filename]);
  const { page } = browser;
  await copyFile(filename, 1_999);
  await page.reload();
  const first = page.getByRole("link", { name: filename, exact: true });
  await first.focus();
  for (;;) {
    await page.keyboard.press("End");
    const rendered = await page.locator(".stowage-entry").count();
    expect(rendered).toBeLessThan(100);
    if ((await focused(browser)) === "file 1999.txt") break;
  }
  expect(await page.getByRole("grid").getAttribute("aria-rowcount")).toBe("2000");
  await page.keyboard.press("Home");
  await hasFocusOn(browser, filename);
  expect(await axeViolations(page)).toEqual([]);
});

const details = ({ page }: WidgetPage) => page.locator(".stowage-entry-detail").allTextContents();

test("renames, moves and deletes a folder of 2,500 files, by the keyboard and after a reload", async () => {
  const filename = `${randomUUID()}.txt`;
  const browser = await aBrowser([`big/deep/${filename}`]);
  await copyFile(filename, 2_499);
  const { page } = browser;
  const { keyboard } = page;
  const folderNamed = (name: string) => page.getByRole("grid").getByRole("button", { name, exact: true });
  await page.reload();
  await folderNamed("big").focus();
  expect(await details(browser)).toEqual(["2,500 files"]);
  await keyboard.press("F2");
  await hasFocusOn(browser, "New name of big");
  await keyboard.type("large");
  await keyboard.press("Enter");
  await expect.poll(() => status(browser), { timeout: 60_000 }).toBe("Renamed to large.");
  await shows(browser, ["large"]);
  expect(await details(browser)).toEqual(["2,500 files"]);
  await hasFocusOn(browser, "large");

  await page.getByRole("button", { name: "Move large" }).focus();
  await keyboard.press("Enter");
  await hasFocusOn(browser, "Folder of large");
  await keyboard.type("archive/2026");
  await keyboard.press("Enter");
  await expect.poll(() => status(browser), { timeout: 60_000 }).toBe("large was moved to archive/2026.");
  await shows(browser, ["archive"]);
  const announced = (await browser.announced()).filter((text) => text !== "Loading files…");
  expect(announced).toEqual([
    "Moving big…",
    "Renamed to large.",
    "Moving large…",
    "large was moved to archive/2026.",
  ]);
  expect(await browser.recorded("focusLosses")).toEqual([]);

  await folderNamed("archive").focus();
  await keyboard.press("Delete");
  await hasFocusOn(browser, "Cancel");
  expect(await axeViolations(page)).toEqual([]);
  await keyboard.press("Shift+Tab");
  await hasFocusOn(browser, "Delete");
  const accepted = page.waitForResponse((response) => response.url().endsWith("/delete-folder"));
  await keyboard.press("Enter");
  expect((await accepted).status()).toBe(200);
  // The job goes on without the page. The same request again is the same job, or one that finds nothing.
  await page.reload();
  await folderNamed("archive").focus();
  await keyboard.press("Delete");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.poll(() => status(browser), { timeout: 60_000 }).toBe("archive was deleted.");
  await shows(browser, []);
  expect(browser.consoleErrors).toEqual([]);
  const left = browser.client.files({ tenantId: browser.user, status: "stored" });
  expect(await left.next()).toMatchObject({ done: true });
});

test("shows how far a change of a folder is, and says why it was not made", async () => {
  const browser = await aBrowser(["old/a.txt", "b.txt"], {
    stowage: { allowFolderJobs: ({ to }) => to !== "locked" },
  });
  const { page } = browser;
  const answers: string[] = ["running", "done"];
  await page.route(/\/job\?/, async (route) => {
    const response = await route.fetch();
    const job = (await response.json()) as object;
    const state = answers.length > 1 ? answers[0] : answers.shift();
    await route.fulfill({ response, json: { ...job, state, total: 40, done: state === "done" ? 40 : 10 } });
  });
  const rename = async (name: string) => {
    await page.getByRole("button", { name: "Rename old" }).click();
    await page.getByRole("textbox").fill(name);
    await page.keyboard.press("Enter");
  };
  await rename("locked");
  await page.getByRole("alert").getByText("This folder cannot be moved or deleted here.").waitFor();
  expect(await status(browser)).toBe("");
  await rename("new");
  const bar = page.getByRole("progressbar", { name: "Moving old…" });
  await expect.poll(() => bar.evaluate((element) => (element as HTMLProgressElement).position)).toBe(0.25);
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Delete old" }).getAttribute("aria-disabled")).toBe("true");
  for (const mode of modes) {
    await setMode(mode, browser);
    expect(await axeViolations(page, mode === "dark" ? "colours" : "all"), mode).toEqual([]);
  }
  answers.shift();
  await says(browser, "Renamed to new.");
  await shows(browser, ["new", "b.txt"]);
});
