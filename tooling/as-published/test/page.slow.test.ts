import { launchChromium } from "@stowage/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
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

  it("are drawn in Node, the same in StrictMode", async () => {
    const plain = await (await fetch(customer.url)).text();
    const strict = await (await fetch(`${customer.url}/?strict`)).text();
    expect(plain).toMatch(/<div[^>]* role="group"/);
    expect(plain).toContain("Choose files");
    expect(strict).toBe(plain);
  });

  it.each(["/", "/?strict"])("wake up on what Node drew without a complaint at %s", async (path) => {
    await using visit = await open(`${customer.url}${path}`);
    await visit.page.locator("main[data-hydrated=true]").waitFor();
    expect(visit.complaints).toEqual([]);
  });

  it("bring one file to storage once, in StrictMode", async () => {
    await using visit = await open(`${customer.url}/?strict`);
    await visit.page.locator("main[data-hydrated=true]").waitFor();
    await visit.page
      .locator("input[type=file]")
      .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Remember the milk") });
    await visit.page.locator("output", { hasText: "notes.txt" }).waitFor();
    await visit.page.locator("li[data-status=done]").waitFor();
    expect(await (await fetch(`${customer.url}/kept`)).json()).toEqual([
      { filename: "notes.txt", text: "Remember the milk" },
    ]);
    expect(visit.complaints).toEqual([]);
  });
});

/** A visit to the page, and every warning and error that the browser has seen in it. */
async function open(url: string): Promise<AsyncDisposable & { page: Page; complaints: string[] }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
