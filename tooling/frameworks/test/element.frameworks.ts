import { launchChromium } from "@stowage/chromium";
import { aFolder, aRun, type Folder, readDemo, type Run } from "@stowage/local/test/a-run";
import { axeViolations } from "@stowage/local/test/axe";
import { startCustomerApp, userOf } from "@stowage/local/test/customer-app";
import { startFaultyStorage } from "@stowage/local/test/faulty-storage";
import { type LocalRegistry, startLocalRegistry } from "@stowage/local-registry";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildFrameworkApp } from "./a-framework-app.js";

let folder: Folder;
let data: Folder;
let registry: LocalRegistry;
let stowage: Run;
let browser: Browser;
beforeAll(async () => {
  folder = await aFolder();
  data = await aFolder();
  stowage = aRun(data.path);
  registry = await startLocalRegistry();
  browser = await launchChromium();
  await stowage.ready;
});
afterAll(async () => {
  await browser?.close();
  await registry?.close();
  await stowage?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Serves a built page with the helper, and opens it as a user of its own. */
async function openPage(pageDir: string, user: string) {
  const { api_key, base_url } = await readDemo(data.path);
  const storage = await startFaultyStorage((await stowage.ready).storage);
  cleanups.push(() => storage.stop());
  const app = await startCustomerApp({
    pageDir,
    storageUrl: storage.url,
    stowage: { apiKey: api_key, baseUrl: base_url, tenant: userOf },
  });
  cleanups.push(() => app.stop());
  const context = await browser.newContext({ viewport: { width: 640, height: 900 } });
  cleanups.push(() => context.close());
  await context.addCookies([{ name: "test_user", value: user, url: app.url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const consoleErrors: string[] = [];
  page.on("pageerror", (error) => consoleErrors.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      consoleErrors.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(app.url);
  return { app, storage, page, consoleErrors };
}

const text = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.alloc(100_000, "a") });

test.each([
  ["Vue", "vue", "src/App.vue"],
  ["Svelte", "svelte", "src/App.svelte"],
  ["Angular", "angular", "src/app.component.ts"],
])(
  "an app of %s sets the element's properties, hears its events, and sends its value",
  async (_, name, component) => {
    const pageDir = await buildFrameworkApp({ registry, folder: folder.path }, name, component);
    const { app, storage, page, consoleErrors } = await openPage(pageDir, name);
    const element = page.locator("stowage-dropzone");
    const choose = (file: ReturnType<typeof text>) =>
      element.locator("input[data-picker=files]").setInputFiles(file);
    await page.getByText("0 %", { exact: true }).waitFor();
    expect(await element.getAttribute("max-files")).toBe("3");

    // `validate` is a property that no attribute can hold.
    await choose(text("draft.txt"));
    await page.getByRole("alert").getByText("Drafts cannot be sent.").waitFor();
    await element.locator("li[data-status=failed]").getByText("Drafts cannot be sent.").waitFor();
    await element.getByRole("button", { name: "Remove draft.txt" }).click();

    storage.hold();
    await choose(text("notes.txt"));
    await element.getByRole("progressbar", { name: "notes.txt" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    storage.release();

    await element.locator("li[data-status=done]").waitFor();
    await page.getByText("100 %", { exact: true }).waitFor();
    const path = await page.locator("main > form > ul > li").innerText();
    expect(path).toMatch(/notes\.txt$/);
    expect(storage.puts).toMatchObject([{ status: 200, bytes: 100_000 }]);
    expect(await axeViolations(page)).toEqual([]);

    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect.poll(() => page.title()).toBe("Received");
    expect(app.submitted.map((form) => [...form])).toEqual([[["attachment", path]]]);
    expect(consoleErrors).toEqual([]);
  },
  600_000,
);
