import { launchChromium } from "@stowage/chromium";
import { collectConsoleErrors } from "@stowage/chromium/console-errors";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aCustomersPage } from "./fixtures/a-customers-page.js";

const customers = inject("customers");

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

describe.each(["react18", "react19"] as const)("the packed widget and helper, with %s", (name) => {
  let customer: Awaited<ReturnType<typeof aCustomersPage>>;
  beforeAll(async () => {
    customer = await aCustomersPage(customers[name]);
  });
  afterAll(() => customer?.[Symbol.asyncDispose]());

  test("render in Node, with the same HTML in StrictMode", async () => {
    const plain = await (await fetch(customer.url)).text();
    const strict = await (await fetch(`${customer.url}/?strict`)).text();
    expect(plain).toMatch(/<div[^>]* role="group"/);
    expect(plain).toContain("Choose files");
    expect(strict).toBe(plain);
  });

  test.each(["/", "/?strict"])("hydrate without an error or warning at %s", async (path) => {
    await using visit = await open(`${customer.url}${path}`);
    await visit.page.locator("main[data-hydrated=true]").waitFor();
    expect(visit.consoleErrors).toEqual([]);
  });

  test("upload one file once in StrictMode", async () => {
    await using visit = await open(`${customer.url}/?strict`);
    await visit.page.locator("main[data-hydrated=true]").waitFor();
    await visit.page
      .locator("input[type=file]")
      .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Remember the milk") });
    await visit.page.locator("output", { hasText: "notes.txt" }).waitFor();
    await visit.page.locator("li[data-status=done]").waitFor();
    expect(await (await fetch(`${customer.url}/files`)).json()).toEqual([
      { filename: "notes.txt", text: "Remember the milk" },
    ]);
    expect(visit.consoleErrors).toEqual([]);
  });
});

/** Opens the page. @returns the page, and its console errors and warnings so far */
async function open(url: string): Promise<AsyncDisposable & { page: Page; consoleErrors: string[] }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const consoleErrors = collectConsoleErrors(page, { warnings: true });
  await page.goto(url);
  return { page, consoleErrors, [Symbol.asyncDispose]: () => context.close() };
}
