import { type ClientRequest, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { UploadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { anOperator, anOwnedProject } from "../fixtures/a-person.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { aProject } from "../fixtures/a-project.js";
import { aProxy, type Proxy, type ProxyOptions } from "../fixtures/a-proxy.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { call, putBytes } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { json, open, send, sendOverHttp2 } from "./send.js";

const EVENTS_SECRET = "the-secret-of-storage-events";
const FAILING_KEYS = 20;
const UNKNOWN_KEY = "stow_live_unknown";

let replicas: ServiceProcess[];
/** A service in this process, whose operators can sign in without a browser. */
let dashboard: RunningService;
beforeAll(async () => {
  const settings = {
    ...inject("servers"),
    PORT: "0",
    DASHBOARD_DIR: "none",
    SWEEP_INTERVAL_MS: "0",
    TRUSTED_PROXIES: "127.0.0.0/8",
    FAILING_KEYS_PER_MINUTE: String(FAILING_KEYS),
    STORAGE_EVENTS_SECRET: EVENTS_SECRET,
  };
  replicas = await Promise.all([aProcess(settings), aProcess(settings)]);
  dashboard = await aService();
});
afterAll(() => Promise.all([dashboard.close(), ...replicas.map((replica) => replica.kill())]));

const hostOf = (url: string) => new URL(url).host;

describe.each(["nginx", "haproxy"] as const)("%s", (name) => {
  async function aProxyTo(upstreams: [string, string], options?: ProxyOptions): Promise<Proxy> {
    const proxy = await aProxy(name, upstreams, options);
    onTestFinished(() => proxy.close());
    return proxy;
  }
  const aProxyToReplicas = () => aProxyTo(replicas.map(({ url }) => hostOf(url)) as [string, string]);

  test("uploads, and answers many requests over one HTTP/2 connection", async () => {
    const proxy = await aProxyToReplicas();
    const { apiKey } = await aProject();
    const request = json(apiKey, { tenant_id: "t", filename: "a.txt", size: 5 });
    const answer = await send(proxy, `${proxy.url}/api/storage/upload/`, request);
    expect(answer.status).toBe(200);
    const upload = JSON.parse(answer.text) as UploadResponse;
    expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
    const { file_path } = upload;
    const completed = await send(proxy, `${proxy.url}/api/storage/complete/`, json(apiKey, { file_path }));
    expect(JSON.parse(completed.text)).toMatchObject({ status: "stored", size: 5 });
    const paths = Array.from({ length: 50 }, () => "/api/storage/usage/?tenant_id=t");
    const statuses = await sendOverHttp2(proxy, paths, { authorization: `Bearer ${apiKey}` });
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test("tells the service the client's address, and none that the client invents", async () => {
    // One replica, because each counts alone.
    const [first] = replicas.map(({ url }) => hostOf(url));
    const proxy = await aProxyTo([first!, first!]);
    const tryKey = (localAddress: string, forged: string) =>
      send(proxy, `${proxy.url}/api/storage/usage/`, {
        headers: { Authorization: `Bearer ${UNKNOWN_KEY}`, "X-Forwarded-For": forged },
        localAddress,
      });
    const client = name === "nginx" ? "127.0.1.1" : "127.0.1.2";
    const statuses: number[] = [];
    // A busy machine needs so long that some tries are given back.
    for (let attempt = 0; attempt <= 4 * FAILING_KEYS && statuses.at(-1) !== 429; attempt++)
      statuses.push((await tryKey(client, `192.0.2.${attempt}`)).status);
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await tryKey("127.0.1.9", "192.0.2.1")).status).toBe(401);
  });

  test("passes an event of the live feed on at once", async () => {
    const host = hostOf(dashboard.url);
    const proxy = await aProxyTo([host, host]);
    const owner = await anOperator(dashboard.url);
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const Cookie = [...owner.cookies].map(([cookie, value]) => `${cookie}=${value}`).join("; ");
    const input = encodeURIComponent(JSON.stringify({ projectRef }));
    let received = "";
    const isConnected = () =>
      new Promise<boolean>((resolve) => {
        const url = `${proxy.url}/trpc/overview.uploads?input=${input}`;
        const stream = open(proxy, url, { headers: { Cookie, Accept: "text/event-stream" } }, (response) => {
          response.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
          resolve(response.statusCode === 200);
        });
        stream.on("error", () => resolve(false)).end();
        onTestFinished(() => void stream.destroy());
      });
    // A proxy takes a replica out that is too busy to answer its checks in time.
    await expect.poll(isConnected, { interval: 500 }).toBe(true);
    await expect.poll(() => received).toContain("event: connected");
    const request = json(apiKey, { tenant_id: "t", filename: "live.txt", size: 5 });
    const { text } = await send(proxy, `${proxy.url}/api/storage/upload/`, request);
    // Fewer bytes than any buffer. A ping would follow only after 15 seconds, and push the event out of it.
    await expect.poll(() => received).toContain("live.txt");
    expect(received.split("live.txt")[0]).not.toContain("event: ping");
    expect(received).toContain((JSON.parse(text) as UploadResponse).file_path);
  });

  test("refuses a body that no call needs, and passes the largest one on", async () => {
    const proxy = await aProxyToReplicas();
    const { apiKey } = await aProject();
    const remove = (count: number) => {
      const file_paths = Array.from({ length: count }, (_, i) => `projects/${String(i).padEnd(1000, "x")}`);
      return send(proxy, `${proxy.url}/api/storage/delete/`, json(apiKey, { file_paths }));
    };
    expect((await remove(1000)).status).not.toBe(413);
    const refused = await send(proxy, `${proxy.url}/api/storage/delete/`, {
      method: "POST",
      headers: { "Content-Length": 3 * 1024 ** 2 + 1, Expect: "100-continue" },
    });
    expect(refused.status).toBe(413);
  });

  test("answers no call of the API without TLS", async () => {
    const proxy = await aProxyToReplicas();
    const plain = (path: string) => fetch(proxy.plainUrl + path, { redirect: "manual" });
    expect((await plain("/api/storage/usage/")).status).toBe(403);
    expect((await plain(`/internal/storage-events?secret=${EVENTS_SECRET}`)).status).toBe(403);
    const page = await plain("/projects");
    expect([page.status, page.headers.get("location")]).toEqual([
      301,
      expect.stringMatching(/^https:.*\/projects$/),
    ]);
  });

  test("limits the connections of a client", async () => {
    const replace = { 1000: "3" };
    const hosts = replicas.map(({ url }) => hostOf(url)) as [string, string];
    const proxy = await aProxyTo(hosts, {
      replace: name === "nginx" ? { "clients 1000": "clients 3" } : { "gt 1000": `gt ${replace[1000]}` },
    });
    const held = new Set<ClientRequest>();
    const hold = () => {
      const body = { method: "POST", headers: { "Content-Length": 10 } };
      const request = open(proxy, `${proxy.url}/api/storage/upload/`, body, () => held.delete(request));
      request.on("error", () => held.delete(request)).write("1");
      held.add(request);
    };
    const release = () => held.forEach((request) => void request.destroy());
    onTestFinished(release);
    const another = () =>
      send(proxy, `${proxy.url}/healthz`).then(
        ({ status }) => status,
        () => 0,
      );
    const anotherThanThree = () => {
      // The proxy may have refused one of the three, and accepted the call that should be the fourth.
      while (held.size < 3) hold();
      return another();
    };
    await expect.poll(anotherThanThree).toBe(name === "nginx" ? 429 : 0);
    release();
    await expect.poll(another).toBe(200);
  });

  test("sends a POST once if its answer is lost, and the repeated call with its Idempotency-Key makes no second file", async () => {
    let forwarded = 0;
    let isCut = true;
    // Passes requests on to the service, and loses the first answers.
    const cutting = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", async () => {
        forwarded++;
        const headers = request.headers as Record<string, string>;
        const { status, body: answer } = await call(replicas[0]!.url + request.url!, {
          method: request.method!,
          body,
          headers: {
            authorization: headers["authorization"]!,
            "idempotency-key": headers["idempotency-key"]!,
          },
        });
        if (isCut) return void request.socket.destroy();
        response.writeHead(status).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => cutting.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void cutting.close());
    const host = `127.0.0.1:${(cutting.address() as AddressInfo).port}`;
    // HAProxy asks /readyz through the same server, so its check is left out.
    const replace = name === "haproxy" ? { "default-server check": "default-server" } : {};
    const proxy = await aProxyTo([host, host], { replace });
    const { apiKey, ref } = await aProject();
    const request = json(apiKey, { tenant_id: "t", filename: "a.txt" }, { "Idempotency-Key": "once" });
    const lost = await send(proxy, `${proxy.url}/api/storage/upload/`, request);
    expect([lost.status, forwarded]).toEqual([502, 1]);
    isCut = false;
    const repeated = await send(proxy, `${proxy.url}/api/storage/upload/`, request);
    expect([repeated.status, forwarded]).toEqual([200, 2]);
    const files = await queryDatabase<{ path: string }>(
      "select f.path from files f join projects p on p.id = f.project_id where p.ref = $1",
      [ref],
    );
    expect(files).toEqual([{ path: (JSON.parse(repeated.text) as UploadResponse).file_path }]);
  });

  test("writes no key, query, cookie or secret to its log, also for failures", async () => {
    const { apiKey } = await aProject();
    const secrets = [
      apiKey,
      EVENTS_SECRET,
      "cookie-of-a-person",
      "X-Amz-Signature",
      "name-of-a-file",
      "token-of-a-link",
    ];
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      Cookie: "session=cookie-of-a-person",
      Referer: "https://x.example/?X-Amz-Signature=1",
    };
    const paths = [
      "/api/storage/files/?q=name-of-a-file",
      `/internal/storage-events?secret=${EVENTS_SECRET}`,
      "/x?X-Amz-Signature=1",
      "/s/token-of-a-link",
      "/below/s/token-of-a-link/",
    ];
    const dead = await aProxyTo(["127.0.0.1:1", "127.0.0.1:1"]);
    const alive = await aProxyToReplicas();
    for (const proxy of [alive, dead])
      for (const path of paths)
        for (const body of [undefined, "{}"]) {
          await send(proxy, proxy.url + path, { headers, ...(body && { body }) });
          await send(proxy, proxy.url + path, {
            headers: { ...headers, "Content-Length": 4e6, Expect: "100-continue" },
            method: "POST",
          });
        }
    await expect.poll(() => alive.log().match(/storage-events/g)?.length).toBe(4);
    for (const proxy of [alive, dead])
      expect(secrets.filter((secret) => proxy.log().includes(secret))).toEqual([]);
    expect(dead.log()).toMatch(/ 50[23] /);
    expect(alive.log()).toMatch(/\/below\/s\/\.\.\./);
  });
});
