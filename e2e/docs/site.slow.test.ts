import { expect, inject, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { saveScreenshot } from "../fixtures/save-screenshot.js";
import { aReader } from "./fixtures/a-reader.js";

/** One page of each kind: the README, a guide with all kinds of blocks, the API, wide tables, an error, a decision, a long text. */
const KINDS = [
  "",
  "webhooks/",
  "api/",
  "cli/",
  "errors/",
  "errors/quota_exceeded/",
  "decisions/",
  "bench/results/",
];

test.each(KINDS)("/docs/%s is accessible in both themes and logs no error", async (path) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await using reader = await aReader({ colorScheme });
    await reader.open(path);
    expect(await reader.page.locator("html").getAttribute("data-theme")).toBe(colorScheme);
    await saveScreenshot(reader.page, `docs-${path.replaceAll("/", "-")}${colorScheme}`);
    expect(await axeViolations(reader.page, colorScheme === "light" ? "all" : "colours")).toEqual([]);
    expect(reader.errors).toEqual([]);
  }
});

test("no page is wider than a phone, and its menu opens", async () => {
  await using reader = await aReader({ width: 360 });
  const { page } = reader;
  for (const path of KINDS) {
    await reader.open(path);
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 360]);
  }
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Quotas", exact: true }).click();
  await page.waitForURL("**/docs/quotas/");
  expect(reader.errors).toEqual([]);
});

test("the search finds a page by its text, with the keyboard alone", async () => {
  await using reader = await aReader();
  const { page } = reader;
  // The page loads the search when it is idle. Without a time limit, Chromium may not call it idle while the machine is busy.
  await page.addInitScript(() => {
    const whenIdle = requestIdleCallback;
    window.requestIdleCallback = (run) => whenIdle(run, { timeout: 1000 });
  });
  await reader.open("");
  // Its script enables the button.
  await expect.poll(() => page.getByRole("button", { name: "Search" }).isEnabled()).toBe(true);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("textbox", { name: "Search" });
  await expect.poll(async () => [await field.count(), ...reader.errors]).toEqual([1]);
  await field.fill("trash purge");
  const results = page.getByRole("dialog").getByRole("link", { name: "Expiry, trash and hold" });
  await results.first().press("Enter");
  await page.waitForURL("**/docs/lifecycle/**");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Expiry, trash and hold");
  expect(reader.errors).toEqual([]);
});

test("the first stop of the keyboard skips the menu", async () => {
  await using reader = await aReader();
  const { page } = reader;
  await reader.open("quotas/");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).hash).toBe("#_top");
});

test("a page has a copy of itself as Markdown", async () => {
  await using reader = await aReader();
  const { page } = reader;
  await reader.open("quotas/");
  const address = await page.getByRole("link", { name: "This page as Markdown" }).getAttribute("href");
  const answer = await fetch(new URL(address!, inject("stowage").url));
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await answer.text()).toMatch(/^# Quotas\n/);
});

test("an address without a page shows the menu and the way back", async () => {
  await using reader = await aReader();
  const { page } = reader;
  await reader.open("nothing/");
  await page.getByRole("heading", { name: "404" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
});
