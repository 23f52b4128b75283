import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StowageOptions } from "@stowage/server";
import type { Browser, BrowserContext, CDPSession, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { aFolder } from "../../fixtures/a-run.js";
import { launchChromium } from "@stowage/chromium";
import { type FaultyStorage, startFaultyStorage } from "./faulty-storage.js";
import type { StageConfig, StageWindow } from "./page/stage-window.js";
import { type StageApp, startStageApp, userOf } from "./stage-app.js";
import { type Ledger, openLedger, type StoredFile } from "./stored-files.js";
import { watchPage } from "./watch-page.js";

export interface SceneOptions extends StageConfig {
  /** Runs in the page, and makes the widget's options that are functions or the like. It sees nothing of the test. */
  inPage?: () => object;
  /** Of the helper, beside key, address and sign-in. */
  stowage?: Partial<StowageOptions>;
  /** With React's development checks. */
  development?: boolean;
  /** Time in the page stands still, but for `pass`. */
  stopped?: boolean;
  /** Nobody, unless told otherwise, is signed out. */
  signedOut?: boolean;
}

/** One page with the widget in it, a user of its own, and hands on all that the widget speaks to. */
export interface Scene {
  page: Page;
  context: BrowserContext;
  /** To the page, past Playwright. */
  devTools: CDPSession;
  user: string;
  app: StageApp;
  storage: FaultyStorage;
  root: Locator;
  trigger: Locator;
  rows(status?: string): Locator;
  row(name: string): Locator;
  button(name: string): Locator;
  /** As the browser's own dialog does. */
  choose(...paths: string[]): Promise<void>;
  /** Waits until this many rows stand so. */
  see(status: string, count?: number): Promise<void>;
  /** What the page has recorded. */
  record<Key extends keyof StageWindow>(key: Key): Promise<StageWindow[Key]>;
  /** Moves the page's time, where it stands still. */
  pass(ms: number): Promise<void>;
  /** Waits until the live region has said this last. */
  hear(sentence: string): Promise<void>;
  files(): Promise<StoredFile[]>;
  /** Errors of the page and of its console. */
  complaints: string[];
}

export interface Stage {
  open(options?: SceneOptions): Promise<Scene>;
  /** A file on disk: a browser reads them there, as a person's are. @returns its path */
  file(name: string, bytes: Uint8Array | string): Promise<string>;
  ledger: Ledger;
}

let lastUser = 0;

/**
 * The widget in Chromium against the real helper, service and store. Call it at the top of a test file: it starts and ends
 * with the file's tests, and closes each test's scene after it.
 */
export function aStage(): Stage {
  const servers = inject("stage");
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let browser: Browser;
  let lastFile = 0;
  const ends: (() => Promise<void>)[] = [];
  const stage = { open, file } as Stage;

  beforeAll(async () => {
    folder = await aFolder();
    browser = await launchChromium();
    stage.ledger = openLedger(servers);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  afterAll(async () => {
    await browser?.close();
    await stage.ledger?.close();
    await folder?.remove();
  });
  return stage;

  async function file(name: string, bytes: Uint8Array | string): Promise<string> {
    const dir = join(folder.path, String(++lastFile));
    await mkdir(dir);
    await writeFile(join(dir, name), bytes);
    ends.push(() => rm(dir, { recursive: true, force: true }));
    return join(dir, name);
  }

  async function open(options: SceneOptions = {}): Promise<Scene> {
    const { inPage, stowage, development, stopped, signedOut, ...config } = options;
    const user = `user_${process.pid}_${++lastUser}`;
    const storage = await startFaultyStorage(servers.storage["S3_ENDPOINT"]!);
    ends.push(() => storage.stop());
    const app = await startStageApp({
      pageDir: development ? servers.pages.development : servers.pages.production,
      storageUrl: storage.url,
      stowage: { apiKey: servers.apiKey, baseUrl: servers.serviceUrl, tenant: userOf, ...stowage },
    });
    ends.push(() => app.stop());
    const context = await browser.newContext({ viewport: { width: 640, height: 720 } });
    ends.push(() => context.close());
    if (!signedOut) await context.addCookies([{ name: "stage_user", value: user, url: app.url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    if (stopped) await page.clock.install({ time: 0 });
    await page.addInitScript(watchPage, config);
    if (inPage) await page.addInitScript(`window.stage.props = (${String(inPage)})();`);
    await page.goto(app.url);

    const root = page.locator("[data-upload]");
    const rows = (status?: string) =>
      root.locator(status === undefined ? "li.stowage-item" : `li.stowage-item[data-status=${status}]`);
    await root.waitFor().catch((error: Error) => {
      throw new Error(`The page shows no widget: ${complaints.join("; ") || error.message}`);
    });
    if (stopped) await page.clock.pauseAt(60_000);
    return {
      page,
      context,
      user,
      app,
      storage,
      root,
      rows,
      complaints,
      devTools: await context.newCDPSession(page),
      trigger: root.locator("button[data-part=trigger]").first(),
      row: (name) => rows().filter({ has: page.getByText(name, { exact: true }) }),
      button: (name) => root.getByRole("button", { name, exact: true }),
      choose: (...paths) => root.locator("input[type=file]").first().setInputFiles(paths),
      async see(status, count = 1) {
        await page.waitForFunction(
          ([status, count]) =>
            document.querySelectorAll(`li.stowage-item[data-status="${status}"]`).length === count,
          [status, count] as const,
        );
      },
      record: async (key) => (await page.evaluate(() => window.stage))[key],
      async hear(sentence) {
        await page.waitForFunction((sentence) => window.stage.spoken.at(-1) === sentence, sentence);
      },
      pass: (ms) => page.clock.runFor(ms),
      files: () => stage.ledger.filesOf(user),
    };
  }
}
