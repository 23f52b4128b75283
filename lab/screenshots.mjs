#!/usr/bin/env node
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { launchChromium } from "@stowage/chromium";
import { checkout } from "@stowage/local/src/checkout.js";
import { readSettings } from "@stowage/local/src/settings.js";
import { startLocal } from "@stowage/local/src/start-local.js";
import { seed } from "./example-data/seed-dashboard.mjs";

/*
 * Takes a picture of each page of the dashboard, with example data, at four widths and in both colour schemes.
 *
 *   npx pnpm lab screenshots                              all pages, to screenshots/
 *   npx pnpm lab screenshots --only files,tenant          pages whose name starts with one of these
 *   npx pnpm lab screenshots --width 1280 --scheme dark --out DIR
 *
 * The pictures of README.md are overview-1280-light as docs/dashboard.png, and files-1280-dark of
 * --first-screen as docs/dashboard-files.png.
 *
 * It starts its own Stowage on free ports, with data in a temporary folder. Build first: npx turbo run build
 */
const { values } = parseArgs({
  options: {
    out: { type: "string", default: "screenshots" },
    only: { type: "string", default: "" },
    width: { type: "string", default: "320,390,1280,1920" },
    scheme: { type: "string", default: "light,dark" },
    "first-screen": { type: "boolean", default: false },
  },
});
const HEIGHTS = { 320: 640, 390: 844, 1280: 800, 1920: 1080 };
const out = resolve(process.env.INIT_CWD ?? ".", values.out);
const folder = await mkdtemp(join(tmpdir(), "stowage-screenshots-"));
const local = await startLocal(readSettings({ PORT: "0", STOWAGE_DATA_DIR: join(folder, "data") }, checkout));
try {
  const data = await seed(local);
  await takeAll(data);
} finally {
  await local.stop();
  await rm(folder, { recursive: true, force: true });
}

/** The pages: a path, and what to do before the picture. */
function pagesOf({ project, emptyProject, files, tenant, endpoints, scanned }) {
  const at = `/projects/${project}`;
  const scannedAt = `/projects/${scanned.project}`;
  const button = (name) => async (page) => page.getByRole("button", { name }).first().click();
  const dialog = (name) => async (page) => {
    await button(name)(page);
    await page.getByRole("dialog").waitFor();
  };
  return {
    "sign-in": { path: "/sign-in", isSignedOut: true },
    projects: { path: "/" },
    "projects-new": { path: "/", prepare: dialog("New project") },
    overview: { path: at },
    "overview-table": {
      path: `${at}?days=90`,
      prepare: async (page) => page.getByText("Table", { exact: true }).click(),
    },
    quickstart: { path: `/projects/${emptyProject}` },
    files: { path: `${at}/files` },
    "files-selected": {
      path: `${at}/files`,
      prepare: async (page) => {
        for (const n of [1, 2, 3]) await page.getByRole("checkbox").nth(n).check();
      },
    },
    "files-none-found": { path: `${at}/files?q=nothing-has-this-name` },
    "files-empty": { path: `/projects/${emptyProject}/files` },
    "file-image": { path: `${at}/files/${files.image}` },
    "file-pending": { path: `${at}/files/${files.pending}` },
    "file-not-found": { path: `${at}/files/999999` },
    tenants: { path: `${at}/tenants` },
    "tenants-empty": { path: `/projects/${emptyProject}/tenants` },
    tenant: { path: `${at}/tenants/${tenant}` },
    "tenant-quota": { path: `${at}/tenants/${tenant}`, prepare: dialog("Set quota") },
    "project-health": { path: `${at}/health` },
    health: { path: "/health" },
    "command-palette": { path: at, prepare: async (page) => page.keyboard.press("Control+k") },
    "quickstart-later": { path: `${at}/quickstart` },
    key: { path: `${at}/key` },
    webhooks: { path: `${at}/webhooks` },
    "webhooks-empty": { path: `/projects/${emptyProject}/webhooks` },
    "webhooks-add": { path: `${at}/webhooks`, prepare: dialog("Add endpoint") },
    webhook: { path: `${at}/webhooks/${endpoints.healthy}` },
    "webhook-failing": { path: `${at}/webhooks/${endpoints.failing}?show=undelivered` },
    "webhook-disabled": { path: `${at}/webhooks/${endpoints.disabled}` },
    "webhook-delivery": {
      path: `${at}/webhooks/${endpoints.failing}?show=undelivered`,
      prepare: async (page) => {
        await page.getByRole("table", { name: "Deliveries" }).getByRole("link").first().click();
        await page.getByRole("dialog").getByRole("region").first().waitFor();
      },
    },
    "webhook-redeliver": { path: `${at}/webhooks/${endpoints.healthy}`, prepare: dialog("Redeliver since…") },
    "webhook-rotate": { path: `${at}/webhooks/${endpoints.healthy}`, prepare: dialog("Rotate secret") },
    "webhook-delete": { path: `${at}/webhooks/${endpoints.healthy}`, prepare: dialog("Delete") },
    quarantine: { path: `${scannedAt}/files/quarantine` },
    "quarantine-release": { path: `${scannedAt}/files/quarantine`, prepare: dialog(/^Release/) },
    "quarantine-empty": { path: `/projects/${emptyProject}/files/quarantine` },
    "files-scanned": { path: `${scannedAt}/files` },
    trash: { path: `${scannedAt}/files?states=trashed` },
    "trash-selected": {
      path: `${scannedAt}/files?states=trashed`,
      prepare: async (page) => page.getByRole("checkbox").nth(1).check(),
    },
    "file-infected": { path: `${scannedAt}/files/${scanned.files.infected}` },
    "file-waiting": { path: `${scannedAt}/files/${scanned.files.waiting}` },
    "file-held": { path: `${scannedAt}/files/${scanned.files.held}` },
    "file-trashed": { path: `${scannedAt}/files/${scanned.files.trashed}` },
    "file-expiring": { path: `${scannedAt}/files/${scanned.files.expiring}` },
    "settings-scanned": { path: `${scannedAt}/settings` },
    "tenant-delete": { path: `${at}/tenants/${tenant}`, prepare: dialog("Delete tenant") },
    members: { path: `${at}/members` },
    "members-invite": { path: `${at}/members`, prepare: dialog(/^Invite/) },
    audit: { path: `${at}/audit` },
    settings: { path: `${at}/settings` },
    account: { path: "/account" },
    operators: { path: "/operators" },
    "account-menu": { path: "/", prepare: button(/^Account of/) },
    "not-found": { path: "/no/such/page" },
  };
}

async function takeAll(data) {
  await mkdir(out, { recursive: true });
  const chosen = values.only.split(",");
  const pages = Object.entries(pagesOf(data)).filter(([name]) =>
    chosen.some((start) => name.startsWith(start)),
  );
  const browser = await launchChromium();
  try {
    for (const scheme of values.scheme.split(",")) {
      for (const width of values.width.split(",").map(Number)) {
        const context = await browser.newContext({
          baseURL: data.url,
          viewport: { width, height: HEIGHTS[width] ?? 900 },
          colorScheme: scheme,
          reducedMotion: "reduce",
        });
        for (const [name, page] of pages) {
          await context.clearCookies();
          if (!page.isSignedOut) await context.addCookies(data.cookies);
          await take(context, page, join(out, `${name}-${width}-${scheme}.png`));
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
  }
}

async function take(context, { path, prepare }, file) {
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  try {
    await page.goto(path);
    await settled(page);
    if (prepare) {
      await prepare(page);
      await settled(page);
    }
    if (!values["first-screen"]) {
      // The sidebar is as high as the window.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width: page.viewportSize().width, height });
      await settled(page);
    }
    await page.screenshot({ path: file });
    console.log(file);
  } catch (error) {
    console.log(`${file}: ${error.message.split("\n")[0]}`);
  } finally {
    await page.close();
  }
}

/** Waits until nothing loads any more. The overview's event stream stays open, so the network is never idle. */
async function settled(page) {
  await page.waitForFunction(() => {
    const images = [...document.querySelectorAll("img")].filter((image) => image.loading !== "lazy");
    return (
      document.querySelector("h1, [role=dialog]") !== null &&
      document.querySelector(".mantine-Skeleton-root") === null &&
      images.every((image) => image.complete)
    );
  });
  // Two quiet frames after the last change of the document.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        let timer = setTimeout(resolve, 250);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 250);
        }).observe(document.body, { childList: true, subtree: true, attributes: true });
        setTimeout(resolve, 3000);
      }),
  );
}
