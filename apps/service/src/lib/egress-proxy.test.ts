import * as https from "node:https";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readEgressConfig } from "#config.js";
import { discover } from "#auth/oidc-network.js";
import { aCertificate } from "../../test/fixtures/a-certificate.js";
import { aConnectProxy, type ConnectProxy } from "../../test/fixtures/a-connect-proxy.js";
import { installProxy } from "./egress-proxy.js";

const HOST = "files.test";
const certificate = aCertificate(HOST);
const ca = certificate.certificate;

let target: https.Server;
let origin: string;
let port: number;
let proxy: ConnectProxy;
let undo: () => void = () => undefined;

beforeAll(async () => {
  const key = certificate.key.export({ type: "pkcs8", format: "pem" });
  target = https.createServer({ key, cert: ca }, (request, response) => {
    if (request.url === "/redirect") return void response.writeHead(302, { Location: "/" }).end();
    response.end(`${request.method} ${request.url}`);
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  ({ port } = target.address() as AddressInfo);
  origin = `https://${HOST}:${port}`;
});
afterAll(() => new Promise((resolve) => target.close(resolve)));
beforeEach(async () => void (proxy = await aConnectProxy()));
afterEach(async () => {
  undo();
  undo = () => undefined;
  target.closeIdleConnections();
  await proxy.close();
});

/** @param change of the proxy's address */
function through(change: (url: string) => string = (url) => url, noProxy = ""): void {
  const { HTTPS_PROXY, NO_PROXY } = readEgressConfig({ HTTPS_PROXY: change(proxy.url), NO_PROXY: noProxy });
  undo = installProxy(HTTPS_PROXY!, NO_PROXY);
}

function get(url: string, options: https.RequestOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    https
      .get(url, { ca, agent: false, ...options }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve(text));
      })
      .on("error", reject);
  });
}

test("agents that were made before keep a tunnel, and the certificate is the one of the name", async () => {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  through();
  expect(await get(`${origin}/a`, { agent })).toBe("GET /a");
  expect(await get(`${origin}/b`, { agent })).toBe("GET /b");
  expect(await get(`${origin}/c`)).toBe("GET /c");
  expect(proxy.targets).toEqual([`${HOST}:${port}`, `${HOST}:${port}`]);
  await expect(get(`https://other.test:${port}/`)).rejects.toMatchObject({
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
  });
  agent.destroy();
});

test("sends credentials of the address, percent-decoded", async () => {
  through((url) => url.replace("//", "//ada:s%40crit%3A1@"));
  await get(`${origin}/`);
  expect(proxy.authorizations).toEqual([`Basic ${Buffer.from("ada:s@crit:1").toString("base64")}`]);
});

test("goes past the proxy where NO_PROXY says so", async () => {
  through(undefined, ".files.test");
  const lookup: LookupFunction = (_host, { all }, callback) =>
    all ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4);
  expect(await get(`${origin}/`, { lookup })).toBe("GET /");
  expect(proxy.targets).toEqual([]);
});

test.each([
  [
    407,
    "PROXY_ANSWERED_407",
    "the proxy refused the connection with HTTP 407: its user or password is wrong or missing",
  ],
  [403, "PROXY_ANSWERED_403", "the proxy refused the connection with HTTP 403"],
  [502, "PROXY_ANSWERED_502", "the proxy refused the connection with HTTP 502"],
])("names the proxy if it answers %i", async (status, code, message) => {
  through((url) => url.replace("//", "//ada:hunter2@"));
  proxy.behaviour = status;
  await expect(get(`${origin}/`)).rejects.toMatchObject({ code, message });
  await expect(fetch(`${origin}/`)).rejects.toMatchObject({ cause: { code } });
  await expect(discover(origin)).rejects.toThrow(`discovery cannot be reached (${code})`);
});

test("names the proxy if it is down, and ends if it never answers", async () => {
  through();
  proxy.behaviour = "hang";
  await expect(get(`${origin}/`)).rejects.toMatchObject({ code: "PROXY_TIMEOUT" });
  await proxy.close();
  await expect(get(`${origin}/`)).rejects.toMatchObject({
    code: "PROXY_UNREACHABLE",
    message: "the proxy cannot be reached (ECONNREFUSED)",
  });
  proxy = await aConnectProxy();
}, 60_000);

test("fetch uses the proxy for https, posts a body, and follows no redirect", async () => {
  const previous = https.globalAgent.options.ca;
  https.globalAgent.options.ca = ca;
  try {
    through();
    const answer = await fetch(`${origin}/token`, { method: "POST", body: new URLSearchParams({ a: "b" }) });
    expect([answer.status, await answer.text()]).toEqual([200, "POST /token"]);
    for (const redirect of ["error", "follow"] as const)
      await expect(fetch(`${origin}/redirect`, { redirect })).rejects.toThrow("fetch failed");
    expect((await fetch(`${origin}/redirect`, { redirect: "manual" })).status).toBe(302);
    await expect(fetch(`${origin}/`, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
  } finally {
    https.globalAgent.options.ca = previous;
  }
});

test("plain http is direct", async () => {
  through();
  await expect(fetch("http://127.0.0.1:1/")).rejects.toThrow("fetch failed");
  expect(proxy.targets).toEqual([]);
});

test.each([
  ["socks5://proxy.test", "must be the http or https URL of a proxy"],
  ["http://", "must be the http or https URL of a proxy"],
  ["http://proxy.test/path", "must have no path, query or fragment"],
  ["http://proxy.test/?a", "must have no path, query or fragment"],
  ["http://ada:%zz@proxy.test", "must have its user and password percent-encoded"],
])("refuses the address %s with a sentence", (address, rule) => {
  for (const name of ["HTTPS_PROXY", "WEBHOOK_PROXY"])
    expect(() => readEgressConfig({ [name]: address })).toThrow(`The setting ${name} ${rule}.`);
});

test("reads the names in lower case first, and addresses without a scheme", () => {
  const { HTTPS_PROXY, NO_PROXY } = readEgressConfig({
    HTTPS_PROXY: "http://upper.test",
    https_proxy: "lower.test:3128",
    no_proxy: "a.test",
    NO_PROXY: "",
  });
  expect(HTTPS_PROXY?.url.href).toBe("http://lower.test:3128/");
  expect([NO_PROXY("a.test", 443), NO_PROXY("b.test", 443)]).toEqual([true, false]);
});
