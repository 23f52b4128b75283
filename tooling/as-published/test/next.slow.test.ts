import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launchChromium } from "@stowage/chromium";
import { collectConsoleErrors } from "@stowage/chromium/console-errors";
import { API_KEY, aService, type FakeService } from "@stowage/service-fake";
import { createHttpTransport } from "@stowage/client";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { buildNextApp, startNextApp, type Slashes } from "./fixtures/a-next-app.js";

const { react19 } = inject("customers");

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
const FIRST_PART = 5 * 1024 ** 2;
const LAST_PART = 1024 ** 2;

/** The endings of a path that Next answers, and those that it redirects. */
const PATH_ENDINGS: Record<Slashes, { answered: string[]; redirected: string[] }> = {
  removed: { answered: [""], redirected: ["/"] },
  added: { answered: ["/"], redirected: [""] },
  "left alone": { answered: ["", "/"], redirected: [] },
};

describe.each(Object.keys(PATH_ENDINGS) as Slashes[])(
  "the helper and the widget in a Next app with trailing slashes %s",
  (slashes) => {
    const { answered, redirected } = PATH_ENDINGS[slashes];
    let service: FakeService;
    let folder: string;
    let app: Awaited<ReturnType<typeof startNextApp>>;
    beforeAll(async () => {
      service = await aService();
      // The build has no key and no address, because a container image gets them only when it runs.
      folder = await buildNextApp(react19, slashes);
      app = await startNextApp(folder, {
        STOWAGE_API_KEY: API_KEY,
        STOWAGE_URL: service.url,
        STOWAGE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      });
    }, 330_000);
    afterAll(async () => {
      await app?.[Symbol.asyncDispose]();
      await service?.[Symbol.asyncDispose]();
    });

    const call = (action: string, init: RequestInit = {}) => fetch(`${app.url}/api/stowage/${action}`, init);
    const post = (action: string, body: object, headers: Record<string, string> = {}) =>
      call(action, {
        method: "POST",
        headers: { "Content-Type": "application/json", Cookie: "session=ada", ...headers },
        body: JSON.stringify(body),
      });
    const picture = { filename: "a.png", content_type: "image/png", size: 3, route: "avatar" };

    test("answer GET, POST and OPTIONS, and read the user from Next's cookies()", async () => {
      for (const slash of answered) {
        expect(await (await call(`routes${slash}`)).json()).toEqual({
          routes: { avatar: { accept: ["image/*"], max_size: 4_000_000 }, films: {} },
        });
        service.calls.length = 0;
        const requested = await post(`request${slash}`, picture);
        expect([requested.status, requested.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
        const { file_path } = (await requested.json()) as { file_path: string };
        const completed = await post(`complete${slash}`, { file_path });
        expect(await completed.json()).toMatchObject({
          file_path,
          result: { url: "/avatars/ada/notes.txt" },
        });
        expect(service.calls.map(({ body }) => body["tenant_id"])).toEqual(["ada", "ada"]);

        expect((await post(`request${slash}`, picture, { Cookie: "session=" })).status).toBe(401);
        expect((await post(`request${slash}`, picture, { Origin: "https://evil.example" })).status).toBe(403);
        const preflight = {
          Origin: "https://evil.example",
          "Access-Control-Request-Method": "POST",
        };
        const refused = await call(`request${slash}`, { method: "OPTIONS", headers: preflight });
        expect(await refused.json()).toMatchObject({ code: "cross_site" });
      }
    });

    // With "left alone" there is nothing to test: Next redirects nothing. A skipped test counts as a failure in npm test.
    if (redirected.length > 0)
      test("reach the helper through Next's redirect to its form of the path", async () => {
        for (const slash of redirected) {
          const moved = await call(`routes${slash}`, { redirect: "manual" });
          expect([moved.status, moved.headers.get("Location")]).toEqual([
            308,
            `/api/stowage/routes${answered[0]}`,
          ]);
          // The redirect keeps the method, body and cookie.
          expect((await post(`request${slash}`, picture)).status).toBe(200);
        }
      });

    test("are not found at a route without [...action], and the widget sees that this is not the helper", async () => {
      const transport = createHttpTransport({ endpoint: `${app.url}/api/one-route` });
      const requested = transport.request(picture, new AbortController().signal);
      await expect(requested).rejects.toMatchObject({ code: "unexpected_answer", status: 404 });
    });

    test('are rendered by a server component, because their files declare "use client"', async () => {
      const html = await readFile(join(folder, ".next/server/app/index.html"), "utf8");
      expect(html.match(/role="group"/g)).toHaveLength(4);
      for (const text of ["Choose files", "Pick a picture", "Dateien auswählen"])
        expect(html).toContain(text);
    });

    test("work as the README writes them", async () => {
      expect(await (await fetch(`${app.url}/readme${answered[0]}`)).text()).toContain("Choose files");
      const url = `${app.url}/api/readme/request${answered[0]}`;
      const headers = { "Content-Type": "application/json" };
      const refused = await fetch(url, { method: "POST", headers, body: JSON.stringify(picture) });
      // In production, the README's session signs no user in.
      expect([refused.status, await refused.json()]).toMatchObject([401, { code: "unauthorized" }]);
    });

    test("give next/image the addresses of variants, as the guide writes it", async () => {
      const html = await (await fetch(`${app.url}/photos${answered[0]}`)).text();
      const [, srcset = ""] = /srcset="([^"]+)"/i.exec(html) ?? [];
      const candidates = srcset.replaceAll("&amp;", "&").split(", ");
      expect(candidates.length).toBeGreaterThan(1);
      for (const candidate of candidates) {
        const [address = "", width = ""] = candidate.split(" ");
        const url = new URL(address, app.url);
        expect([url.pathname, url.searchParams.get("file_path")]).toEqual([
          "/api/stowage/download",
          "ada/a.png",
        ]);
        expect(url.searchParams.get("variant")).toBe(parseInt(width) > 320 ? "large" : "small");
      }
    });

    test("receive webhooks as the guide writes it", async () => {
      const body = JSON.stringify({ type: "file.stored", timestamp: "", data: { filename: "a", size: 1 } });
      const at = new Date();
      const send = (sent: string) =>
        fetch(`${app.url}/webhooks/stowage${answered[0]}`, {
          method: "POST",
          headers: {
            "webhook-id": "evt_1",
            "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
            "webhook-signature": new Webhook(WEBHOOK_SECRET).sign("evt_1", at, body),
          },
          body: sent,
        });
      expect((await send(body)).status).toBe(204);
      const refused = await send(`${body} `);
      expect([refused.status, await refused.json()]).toMatchObject([400, { code: "signature_mismatch" }]);
    });

    test("upload a file from each widget of the page", async () => {
      await using visit = await signIn();
      const { page, consoleErrors } = visit;
      await page.route("https://storage.example/**", (route) =>
        route.fulfill({ status: 200, headers: CORS }),
      );
      await page.goto(app.url);
      service.calls.length = 0;
      const completed = () => service.calls.filter(({ path }) => path === "/api/storage/complete/").length;
      for (const [index, section] of ["dropzone", "button", "parts", "bound"].entries()) {
        const buffer = Buffer.from("png");
        const file = { name: `${section}.png`, mimeType: "image/png", buffer };
        await page.locator(`#${section} input[type=file]`).setInputFiles(file);
        await expect.poll(completed, { timeout: 20_000 }).toBe(index + 1);
      }
      const requested = service.calls.flatMap(({ body }) => body["filename"] ?? []);
      expect(requested).toEqual(["dropzone.png", "button.png", "parts.png", "bound.png"]);
      expect(consoleErrors).toEqual([]);
    });

    // The worker is the same in all builds.
    if (slashes === "removed")
      test("continue a large file after a reload, and compare what is stored in the worker of the build", async () => {
        await using visit = await signIn();
        const { page, consoleErrors } = visit;
        const film = Buffer.alloc(FIRST_PART + LAST_PART, "film ");
        const path = join(folder, "film.mp4");
        await writeFile(path, film);
        const sent: number[] = [];
        let isLastPartHeld = true;
        await page.route("https://storage.example/**", async (route) => {
          const number = Number(new URL(route.request().url()).searchParams.get("partNumber"));
          if (number === 2 && isLastPartHeld) return;
          const bytes = number === 1 ? film.subarray(0, FIRST_PART) : film.subarray(FIRST_PART);
          const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
          service.storePart([...service.multiparts.keys()][0]!, { number, size: bytes.length, etag });
          sent.push(number);
          await route.fulfill({ status: 200, headers: CORS });
        });
        await page.addInitScript(recordWorkers);
        page.on("dialog", (dialog) => void dialog.accept());
        await page.goto(`${app.url}/films${answered[0]}`);
        await page.locator("input[type=file]").setInputFiles(path);
        await expect.poll(() => sent, { timeout: 20_000 }).toEqual([1]);

        await page.reload();
        isLastPartHeld = false;
        const chooser = page.waitForEvent("filechooser");
        await page.getByRole("button", { name: "Continue film.mp4" }).click();
        await (await chooser).setFiles(path);
        await page.locator("li[data-status=done]").waitFor();
        expect(sent).toEqual([1, 2]);
        expect(await page.evaluate("workerMessages")).toEqual(["ready", "hashed"]);
        expect(consoleErrors).toEqual([]);
      });

    /** Opens a browser with the session of a user. */
    async function signIn() {
      const browser = await launchChromium();
      const context = await browser.newContext();
      await context.addCookies([{ name: "session", value: "ada", url: app.url }]);
      const page = await context.newPage();
      page.setDefaultTimeout(90_000);
      const consoleErrors = collectConsoleErrors(page, { warnings: true });
      return { page, consoleErrors, [Symbol.asyncDispose]: () => browser.close() };
    }
  },
);

/** Keeps the type of each message that a worker sends to the page. */
const recordWorkers = `
  globalThis.workerMessages = [];
  globalThis.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => workerMessages.push(data.type));
    }
  };`;
