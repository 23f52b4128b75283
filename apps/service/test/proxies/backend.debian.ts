import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createStowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aProxy } from "../fixtures/a-proxy.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { send, sendOverHttp2 } from "./send.js";

let service: RunningService;
let backend: string;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  service = await aService();
  const { apiKey } = await aProject();
  const stowage = createStowage({ apiKey, baseUrl: service.url, tenant: () => "t", allowUsage: true });
  const server = createServer(toNodeHandler(stowage));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  backend = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  ends.push(
    () => server.close(),
    () => service.close(),
  );
});
afterAll(async () => {
  for (const end of ends) await end();
});

describe.each(["nginx", "haproxy"] as const)("the helper behind %s", (name) => {
  async function aProxyToBackend() {
    const proxy = await aProxy(name, [backend, backend], { file: "backend" });
    onTestFinished(() => proxy.close());
    return proxy;
  }

  test("knows its own origin, also of a browser without Sec-Fetch-Site, and refuses another one", async () => {
    const proxy = await aProxyToBackend();
    const request = (Origin: string) =>
      send(proxy, `${proxy.url}/api/stowage/request`, {
        headers: { Origin, "Content-Type": "application/json" },
        body: JSON.stringify({ filename: "a.txt", size: 1 }),
      });
    expect((await request(proxy.url)).status).toBe(200);
    expect((await request("https://other.example")).status).toBe(403);
    expect(await sendOverHttp2(proxy, ["/api/stowage/usage"], {})).toEqual([200]);
  });

  test("gets the largest batch, and no larger body", async () => {
    const proxy = await aProxyToBackend();
    const files = Array.from({ length: 100 }, (_, i) => ({
      filename: `${i}${"n".repeat(200)}.txt`,
      size: 1,
      metadata: { note: "m".repeat(1500) },
    }));
    const batch = await send(proxy, `${proxy.url}/api/stowage/request-batch`, {
      headers: { Origin: proxy.url, "Content-Type": "application/json" },
      body: JSON.stringify({ files }),
    });
    expect(batch.status).not.toBe(413);
    const refused = await send(proxy, `${proxy.url}/api/stowage/request-batch`, {
      method: "POST",
      headers: { "Content-Length": 1024 ** 2 + 1, Expect: "100-continue" },
    });
    expect(refused.status).toBe(413);
    expect(refused.text).not.toContain("detail");
  });
});
