import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import type { createUploadStore, UploadTransport } from "@stowage/client";
import { sharedChromium } from "@stowage/e2e/fixtures/chromium.js";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../..");
const PACKAGES = ["@sentry/browser@11.12.0", "@capacitor/android@8.5.2", "esbuild@0.28.2"];
const BRIDGE = "node_modules/@capacitor/android/capacitor/src/main/assets/native-bridge.js";

interface Put {
  headers: string[];
  body: string;
}

/** What the script of the page has put into the window. */
interface LabWindow {
  createUploadStore: typeof createUploadStore;
  Sentry: { init(options: object): void; browserTracingIntegration(): unknown };
  toNative: string[];
}

let folder: string;
let site: Server;
let storage: Server;
/** The headers that the preflights asked for, and the PUTs. */
let preflights: string[] = [];
let puts: Put[] = [];

async function listen(answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "replaced-requests-"));
  await writeFile(join(folder, "package.json"), "{}");
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  await run("npm", ["install", ...options, "--prefix", folder, ...PACKAGES]);
  const client = join(ROOT, "packages/client/dist/index.js");
  await writeFile(
    join(folder, "page.js"),
    `import * as Sentry from "@sentry/browser";
     import { createUploadStore } from ${JSON.stringify(client)};
     Object.assign(window, { Sentry, createUploadStore });`,
  );
  const esbuild = join(folder, "node_modules/@esbuild/linux-x64/bin/esbuild");
  await run(esbuild, ["page.js", "--bundle", "--format=iife", "--outfile=bundle.js"], { cwd: folder });
  const script = await readFile(join(folder, "bundle.js"));
  site = await listen(({ url }, response) => {
    const isScript = url === "/bundle.js";
    response.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? script : '<!doctype html><script src="/bundle.js"></script>');
  });
  // A rule that names only the headers of the ticket, as many examples have it.
  storage = await listen(async (request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Access-Control-Allow-Headers", "content-type");
    response.setHeader("Access-Control-Allow-Methods", "PUT");
    if (request.method === "OPTIONS") {
      preflights.push(String(request.headers["access-control-request-headers"]));
      return void response.end();
    }
    puts.push({ headers: Object.keys(request.headers), body: String(await buffer(request)) });
    response.end();
  });
});
afterAll(async () => {
  for (const server of [site, storage]) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  preflights = [];
  puts = [];
});

async function openPage(prepare: (page: Page) => Promise<void> = async () => {}): Promise<Page> {
  const page = await (await sharedChromium()).newPage();
  await prepare(page);
  await page.goto(addressOf(site));
  await page.waitForFunction(() => "createUploadStore" in window);
  return page;
}

/** A PUT of the page's own code, of a part of a file, as uploads by parts send it. */
const putByPage = (page: Page) =>
  page.evaluate(
    (url) => {
      const request = new XMLHttpRequest();
      request.open("PUT", url);
      request.setRequestHeader("Content-Type", "text/plain");
      request.send(new File(["hello world"], "a.txt").slice(0, 5));
      return new Promise((resolve) => {
        request.onload = () => resolve("load");
        request.onerror = () => resolve("error");
        setTimeout(() => resolve("no answer"), 3_000);
      });
    },
    `${addressOf(storage)}/by-page`,
  );

/** Uploads "hello world" by parts of five bytes with the engine. */
const putByStowage = (page: Page) =>
  page.evaluate(async (url) => {
    const part = (number: number) => {
      const size = number === 3 ? 1 : 5;
      const times = { expires_at: "2027-01-01T00:00:00Z", expires_in: 3600 };
      return { number, size, presigned_url: `${url}/part-${number}`, headers: {}, ...times };
    };
    const transport = {
      request: async () => ({
        file_path: "a",
        upload_id: "a",
        part_size: 5,
        part_count: 3,
        parts: [1, 2, 3].map(part),
        expires_in: 3600,
      }),
      complete: async () => ({ file_path: "a" }),
      signParts: async () => ({ parts: [1, 2, 3].map(part) }),
      listParts: async () => ({ parts: [], next_cursor: null }),
    } as unknown as UploadTransport;
    const store = (window as unknown as LabWindow).createUploadStore({ transport });
    let mostSentBytes = 0;
    store.subscribe(() => {
      mostSentBytes = Math.max(mostSentBytes, store.getSnapshot().totals.sentBytes);
    });
    store.add([new File(["hello world"], "a.txt", { type: "text/plain" })]);
    while (store.getSnapshot().totals.active > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    return { status: store.getSnapshot().items[0]?.status, mostSentBytes };
  }, addressOf(storage));

test("Sentry adds headers to a PUT of the page, which storage refuses, and none to a PUT of the engine", async () => {
  const page = await openPage();
  await page.evaluate(() => {
    const { Sentry } = window as unknown as LabWindow;
    Sentry.init({
      dsn: "https://key@sentry.invalid/1",
      tracesSampleRate: 1,
      tracePropagationTargets: [/.*/],
      integrations: [Sentry.browserTracingIntegration()],
    });
  });
  expect(await putByPage(page)).toBe("error");
  expect(preflights.join()).toMatch(/baggage.*sentry-trace/);
  preflights = [];
  expect(await putByStowage(page)).toEqual({ status: "done", mostSentBytes: 11 });
  expect(preflights.join()).not.toMatch(/baggage|sentry-trace/);
  expect(puts.map(({ body }) => body).toSorted()).toEqual([" worl", "d", "hello"]);
  await page.close();
});

test("CapacitorHttp sends a part of a file as {}, and the engine sends its bytes", async () => {
  const bridge = await readFile(join(folder, BRIDGE), "utf8");
  const page = await openPage(async (opened) => {
    await opened.addInitScript(() => {
      const toNative: string[] = [];
      Object.assign(window, {
        toNative,
        androidBridge: { postMessage: (message: string) => toNative.push(message) },
        CapacitorHttpAndroidInterface: { isEnabled: () => true },
        WEBVIEW_SERVER_URL: "https://localhost",
      });
    });
    await opened.addInitScript(bridge);
  });
  expect(await putByPage(page)).toBe("no answer");
  const messages = await page.evaluate(() => (window as unknown as LabWindow).toNative);
  expect(messages.join()).toContain('"data":{}');
  expect(puts).toEqual([]);
  expect(await putByStowage(page)).toEqual({ status: "done", mostSentBytes: 11 });
  expect(puts.map(({ body }) => body).toSorted()).toEqual([" worl", "d", "hello"]);
  await page.close();
});
