import type { DownloadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";

const HOUR = 3600_000;
const WINDOW = HOUR / 2;
/** The start of the current window. Its URLs are valid for at least half an hour from now. */
const start = Math.floor(Date.now() / WINDOW) * WINDOW;

/** Two replicas on one database, whose clocks the test sets. */
let replicas: RunningService[];
const clocks = [0, 0];
beforeAll(async () => {
  replicas = await Promise.all(
    clocks.map((_, index) => aService({}, { clock: () => new Date(clocks[index]!) })),
  );
});
afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

async function aFile(body: Record<string, unknown> = {}) {
  const { apiKey: key } = await aProject();
  clocks.fill(Date.now());
  const { file_path } = await aStoredFile(replicas[0]!.url, key, body);
  return async (replica: 0 | 1, atMs: number, options: object = {}) => {
    clocks[replica] = atMs;
    const { status, body } = await call<DownloadResponse>(`${replicas[replica]!.url}/api/storage/download/`, {
      key,
      body: { file_path, reuse: true, ...options },
    });
    return { status, url: body.presigned_url, expiresAt: Date.parse(body.expires_at) };
  };
}

describe("a download URL with reuse", () => {
  test("is the same on all replicas during half of its time, and then another one", async () => {
    const download = await aFile();
    const first = await download(0, start);
    expect(await download(1, start + 12_345)).toEqual(first);
    const last = await download(1, start + WINDOW - 1);
    expect(last).toEqual(first);
    // Half of the hour is left for the caller who gets it last.
    expect(last.expiresAt - (start + WINDOW - 1)).toBeGreaterThan(WINDOW);
    const next = await download(0, start + WINDOW);
    expect(next.url).not.toBe(first.url);
    expect(next.expiresAt).toBe(first.expiresAt + WINDOW);
    expect((await download(1, start + WINDOW)).url).toBe(next.url);
    expect(await (await fetch(first.url)).text()).toBe("hello");
  });

  test("is accepted by storage although the date of its signature lies back", async () => {
    const download = await aFile();
    const { url } = await download(0, Date.now() - HOUR, { expires_in: 604_800 });
    const [, date] = /X-Amz-Date=(\w+)/.exec(url)!;
    expect(date! < new Date(Date.now() - HOUR).toISOString().replace(/[-:]|\.\d+/g, "")).toBe(true);
    expect(await (await fetch(url)).text()).toBe("hello");
  });

  test("is another one with other options, and without reuse each second", async () => {
    const download = await aFile({ filename: "a.png", content_type: "image/png" });
    const { url } = await download(0, start);
    for (const options of [{ disposition: "inline" }, { filename: "b.png" }, { reuse: false }]) {
      expect((await download(0, start, options)).url).not.toBe(url);
    }
    const [one, other] = [
      await download(0, start, { reuse: false }),
      await download(0, start + 1000, { reuse: false }),
    ];
    expect(one.url).not.toBe(other.url);
  });

  test("lets caches keep the file until it expires; others let only the browser keep it", async () => {
    const download = await aFile();
    const { url, expiresAt } = await download(0, start);
    const response = await fetch(url);
    await response.arrayBuffer();
    expect(response.headers.get("cache-control")).toBe("public, must-revalidate");
    expect(Date.parse(response.headers.get("expires")!)).toBe(expiresAt);
    // A cache asks again with the ETag, and gets no bytes.
    const again = await fetch(url, { headers: { "If-None-Match": response.headers.get("etag")! } });
    expect(again.status).toBe(304);
    for (const disposition of ["inline", "attachment"]) {
      const single = await fetch((await download(0, start, { reuse: false, disposition })).url);
      // Varnish and Squid keep an answer without these headers for a time of their own, also after the end of its URL.
      expect([single.headers.get("cache-control"), single.headers.get("expires")]).toEqual(["private", null]);
    }
  });

  test("does not outlive a file with an end", async () => {
    const download = await aFile({ expires_after: 600 });
    const now = Date.now();
    const first = await download(0, now);
    expect(first.expiresAt - now).toBeLessThanOrEqual(600_000);
    expect(first.expiresAt - now).toBeGreaterThan(590_000);
    // Both replicas answer this end, in the same window and in the next one.
    expect((await download(1, now + 500_000)).expiresAt).toBe(first.expiresAt);
    expect((await download(1, now + 600_000)).status).toBe(404);
  });
});
