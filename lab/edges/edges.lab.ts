import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@stowage/dev-postgres";
import { startDevStore } from "@stowage/dev-store";
import type { DownloadResponse } from "@stowage/schemas";
import { anOperator, anOwnedProject } from "@stowage/service/test/fixtures/a-person.js";
import { aProcess } from "@stowage/service/test/fixtures/a-process.js";
import { aProject } from "@stowage/service/test/fixtures/a-project.js";
import { aService } from "@stowage/service/test/fixtures/a-service.js";
import { anUpload, call } from "@stowage/service/test/fixtures/call.js";
import { afterEach, describe, expect, inject, test } from "vitest";
import { anEdge, edgeKinds } from "./an-edge.js";

const MB_50 = 50 * 1024 ** 2;
const PAGE = "https://app.example";
const TIMEOUT_MS = 60_000;
const NOWHERE = "127.0.0.1:9";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const hostOf = (url: string) => new URL(url).host;

/** Requests through a proxy, 20 a second, half of them uploads. */
function startLoad(url: string, key: string) {
  const stopping = new AbortController();
  const statuses: Record<string, number> = {};
  const sendOne = async (upload: boolean) => {
    const request = upload ? { key, body: { tenant_id: "t", filename: "a.txt", size: 1 } } : { key };
    const path = upload ? "upload/" : "usage/?tenant_id=t";
    const { status } = await call(`${url}/api/storage/${path}`, request).catch((error: Error) => ({
      status: String(Object(error.cause).code ?? error.name),
    }));
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const work = async () => {
    while (!stopping.signal.aborted) {
      await sendOne(true);
      await sendOne(false);
      await sleep(50);
    }
  };
  const running = Promise.all([work(), work()]);
  return async () => {
    stopping.abort();
    await running;
    return statuses;
  };
}

test("every request of a rolling restart is answered with 200, through each proxy with two replicas", async () => {
  const ports = [await freePort(), await freePort()];
  const start = async (port: number) => {
    const replica = await aProcess({
      ...inject("servers"),
      PORT: String(port),
      DASHBOARD_DIR: "none",
      SWEEP_INTERVAL_MS: "0",
      DRAIN_DELAY_SECONDS: "5",
      TRUSTED_PROXIES: "127.0.0.1",
    });
    ends.push(() => replica.kill());
    return replica;
  };
  const replicas = await Promise.all(ports.map(start));
  const { apiKey } = await aProject();
  const kinds = edgeKinds.filter(({ isSingle }) => !isSingle);
  const addresses = ports.map((port) => `127.0.0.1:${port}`) as [string, string];
  const loads = await Promise.all(
    kinds.map(async (kind) => {
      const edge = await anEdge(kind, [...addresses, NOWHERE]);
      ends.push(() => edge.close());
      return startLoad(edge.serviceUrl, apiKey);
    }),
  );
  await sleep(3000);
  for (const [at, replica] of replicas.entries()) {
    replica.child.kill("SIGTERM");
    expect(await replica.exit).toBe(0);
    await start(ports[at]!);
    // docs/proxies.md says to wait so long.
    await sleep(5000);
  }
  const statuses = await Promise.all(loads.map((stop) => stop()));
  console.log(JSON.stringify(Object.fromEntries(kinds.map(({ name }, at) => [name, statuses[at]]))));
  expect(Object.fromEntries(kinds.map(({ name }, at) => [name, Object.keys(statuses[at]!)]))).toEqual(
    Object.fromEntries(kinds.map(({ name }) => [name, ["200"]])),
  );
});

describe.each(edgeKinds)("$name", (kind) => {
  test("passes an event of the live feed on at once", async () => {
    const [service, other] = await Promise.all([aService(), aService()]);
    ends.push(() => Promise.all([service.close(), other.close()]));
    const edge = await anEdge(kind, [hostOf(service.url), hostOf(other.url), NOWHERE]);
    ends.push(() => edge.close());
    const owner = await anOperator(service.url);
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const Cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const input = encodeURIComponent(JSON.stringify({ projectRef }));
    const leaving = new AbortController();
    ends.push(async () => leaving.abort());
    let received = "";
    const stream = fetch(`${edge.serviceUrl}/trpc/overview.uploads?input=${input}`, {
      headers: { Cookie, Accept: "text/event-stream" },
      signal: leaving.signal,
    }).then(async ({ body }) => {
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) received += chunk;
    });
    stream.catch(() => undefined);
    await expect.poll(() => received, { timeout: 10_000 }).toContain("event: connected");
    await anUpload(edge.serviceUrl, apiKey, { tenant_id: "t", filename: "live.txt", size: 5 });
    // A ping, which would push the event out of a buffer, follows only after 15 seconds.
    await expect.poll(() => received, { timeout: 8000 }).toContain("live.txt");
  });

  async function aServiceWhoseStorageIsBehind() {
    const dir = await mkdtemp(join(tmpdir(), "stowage-store-"));
    const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = inject("servers");
    const store = await startDevStore({ dir, accessKeyId, secretAccessKey, buckets: ["stowage-test"] });
    ends.push(
      () => rm(dir, { recursive: true }),
      () => store.stop(),
    );
    const edge = await anEdge(kind, ["127.0.0.1:1", "127.0.0.1:2", hostOf(store.endpoint)]);
    ends.push(() => edge.close());
    const service = await aService({ S3_ENDPOINT: store.endpoint, S3_PUBLIC_ENDPOINT: edge.storageUrl });
    ends.push(() => service.close());
    const { apiKey: key } = await aProject();
    return {
      store,
      /** @returns the path of the file, and the status of its PUT */
      async upload(bytes: Uint8Array<ArrayBuffer>) {
        const body = { tenant_id: "t", filename: "Grüße a+b.png", size: bytes.length };
        const { presigned_url, headers, file_path } = await anUpload(service.url, key, body);
        const { status } = await fetch(presigned_url, {
          method: "PUT",
          headers,
          body: bytes,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const completed = await call(`${service.url}/api/storage/complete/`, { key, body: { file_path } });
        return { file_path, status, completed: completed.body };
      },
      async urlOf(file_path: string, more: object) {
        const body = { file_path, ...more };
        const { body: answer } = await call<DownloadResponse>(`${service.url}/api/storage/download/`, {
          key,
          body,
        });
        return answer.presigned_url;
      },
    };
  }

  const read = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return [answer.status, await answer.text(), answer.headers.get("access-control-allow-origin")];
  };

  test("passes a PUT of 50 MB and its download on", async () => {
    const { upload, urlOf } = await aServiceWhoseStorageIsBehind();
    const bytes = new Uint8Array(MB_50).fill(7);
    const { status, completed, file_path } = await upload(bytes);
    expect([status, completed]).toMatchObject([200, { status: "stored", size: MB_50 }]);
    const answer = await fetch(await urlOf(file_path, {}), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    expect((await answer.arrayBuffer()).byteLength).toBe(MB_50);
  });

  test.runIf(kind.isCache)(
    "keeps a file of a URL with reuse, for pages that use fetch too, and none longer than its URL",
    async () => {
      const { store, upload, urlOf } = await aServiceWhoseStorageIsBehind();
      const { file_path } = await upload(new TextEncoder().encode("hello"));
      const url = await urlOf(file_path, { reuse: true });
      const ending = await urlOf(file_path, { expires_in: 3 });
      const inline = await urlOf(file_path, { expires_in: 3, disposition: "inline" });
      for (const short of [ending, inline]) expect((await read(short)).slice(0, 2)).toEqual([200, "hello"]);
      // As an <img> does, and then as fetch of a page does.
      expect((await read(url)).slice(0, 2)).toEqual([200, "hello"]);
      expect(await read(url, { Origin: PAGE })).toEqual([200, "hello", "*"]);
      expect((await read(url.replace(/.$/, (last) => (last === "0" ? "1" : "0"))))[0]).toBe(403);
      await sleep(5000);
      for (const short of [ending, inline]) expect((await read(short))[0]).toBe(403);
      await store.stop();
      // What the cache has, it sends without storage.
      expect((await read(url)).slice(0, 2)).toEqual([200, "hello"]);
      expect(await read(url, { Origin: PAGE })).toEqual([200, "hello", "*"]);
    },
  );
});
