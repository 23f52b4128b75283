import { launchChromium } from "@stowage/chromium";
import { aFolder, aRun, type Folder, readDemo, type Run } from "@stowage/e2e/fixtures/a-run.js";
import { axeViolations } from "@stowage/e2e/fixtures/axe.js";
import { openCustomerPage } from "@stowage/e2e/widget/fixtures/open-customer-page.js";
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
  const opened = await openCustomerPage({
    browser,
    pageDir,
    user,
    storeUrl: (await stowage.ready).storage,
    helper: { apiKey: api_key, baseUrl: base_url },
    onEnd: (stop) => void cleanups.push(stop),
  });
  opened.page.setDefaultTimeout(30_000);
  return opened;
}

const text = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.alloc(100_000, "a") });

/** A property and a listener of the wrong type. The framework's own check must refuse each of them. */
type Mistakes = Record<string, string>;

const FRAMEWORKS: { framework: string; name: string; component: string; mistakes: Mistakes }[] = [
  {
    framework: "Vue",
    name: "vue",
    component: "src/App.vue",
    mistakes: {
      ':maxFiles="3"': `:maxFiles="'three'"`,
      '@stowage-failed="onFailed"': '@stowage-failed="onUploaded"',
    },
  },
  {
    framework: "Svelte",
    name: "svelte",
    component: "src/App.svelte",
    mistakes: {
      "maxFiles={3}": 'maxFiles="three"',
      "onstowage-failed={onFailed}": "onstowage-failed={onUploaded}",
    },
  },
  // Angular checks no properties and events of custom elements.
  { framework: "Angular", name: "angular", component: "src/app.component.ts", mistakes: {} },
];

test.each(FRAMEWORKS)(
  "an app of $framework sets the element's properties, hears its events, and sends its value",
  async ({ name, component, mistakes }) => {
    const { pageDir, checkWith } = await buildFrameworkApp(
      { registry, folder: folder.path },
      name,
      component,
    );
    for (const [correct, wrong] of Object.entries(mistakes)) {
      expect(await checkWith(correct, wrong)).toContain("not assignable to");
    }
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
