import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { aCertificate } from "../../test/fixtures/a-certificate.js";
import { aConnectProxy } from "../../test/fixtures/a-connect-proxy.js";
import { aReceiver, type Receiver, withStatus } from "../../test/fixtures/a-receiver.js";
import { createPostWebhook, type PostWebhookOptions } from "./post-webhook.js";

const opened: Receiver[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((receiver) => receiver.close()));
});

async function receiver(options?: Parameters<typeof aReceiver>[0]) {
  const one = await aReceiver(options);
  opened.push(one);
  return one;
}

const request = (url: string) => ({ url, headers: { "webhook-id": "evt_1" }, body: '{"é":1}' });
const anywhere = { addresses: { allowPrivate: true } };
const post = (url: string, options: Partial<PostWebhookOptions> = {}) =>
  createPostWebhook({ ...anywhere, ...options })(request(url));

test("sends the headers and the body, and returns the status and the first 1,024 bytes of the answer", async () => {
  const one = await receiver();
  one.answer = (response) => void response.writeHead(201).end("a\0b".padEnd(5000, "x"));
  const answer = await post(`${one.url}hook?key=1`);
  expect(answer).toMatchObject({ status: 201, error: null });
  expect(answer.head).toBe("a\uFFFDb".padEnd(1024, "x"));
  expect(one.received).toMatchObject([
    { path: "/hook?key=1", headers: { "webhook-id": "evt_1", "content-length": "8" }, body: '{"é":1}' },
  ]);
});

test("speaks TLS to the host of the URL, and refuses a certificate for another one", async () => {
  const certificate = aCertificate("hooks.example.com");
  const one = await receiver({
    tls: {
      cert: certificate.certificate,
      key: certificate.key.export({ type: "pkcs8", format: "pem" }).toString(),
    },
  });
  const options = {
    ca: certificate.certificate,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  };
  expect(await post(`https://hooks.example.com:${one.port}/`, options)).toMatchObject({ status: 204 });
  expect(one.received[0]!.headers.host).toBe(`hooks.example.com:${one.port}`);
  expect(await post(`https://other.example.com:${one.port}/`, options)).toMatchObject({
    status: null,
    error: "the certificate is for another host name",
  });
  expect(
    await post(`https://hooks.example.com:${one.port}/`, { ...options, ca: undefined as never }),
  ).toMatchObject({
    error: "the certificate is not signed by a trusted authority",
  });
});

test("does not follow a redirect", async () => {
  const [one, other] = [await receiver(), await receiver()];
  one.answer = withStatus(307, { location: other.url });
  expect(await post(one.url)).toMatchObject({ status: 307 });
  expect(other.received).toEqual([]);
});

test("ends after the time limit, with the status if one has arrived", async () => {
  // On a busy machine the request may arrive after its time, so it has a receiver of its own.
  const [silent, one] = [await receiver(), await receiver()];
  silent.answer = () => undefined;
  expect(await post(silent.url, { timeoutMs: 50 })).toMatchObject({
    status: null,
    error: "no answer within 0.05 seconds",
  });
  // The time is over when the answer has arrived, which may take longer than the limit on a busy machine.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  one.answer = async (response) => {
    response.writeHead(200).write("slow");
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    vi.advanceTimersByTime(200);
  };
  expect(await post(one.url, { timeoutMs: 200 })).toMatchObject({ status: 200, head: "slow", error: null });
});

test("closes the connection after 64 KiB of an endless answer", async () => {
  const one = await receiver();
  let isOpen = true;
  one.answer = (response) => {
    response.on("close", () => (isOpen = false));
    response.on("drain", () => response.write("x".repeat(65_536)));
    response.write("x".repeat(65_536));
  };
  const answer = await post(one.url);
  expect(answer).toMatchObject({ status: 200, error: null });
  expect(answer.head).toHaveLength(1024);
  await expect.poll(() => isOpen).toBe(false);
});

test("tells a closed connection, a refused one and an answer that is not HTTP", async () => {
  const one = await receiver();
  one.answer = (response) => void response.socket!.destroy();
  expect(await post(one.url)).toMatchObject({ status: null, error: "the connection was closed" });
  one.answer = (response) => void response.socket!.end("hello\r\n\r\n");
  expect(await post(one.url)).toMatchObject({ status: null, error: "the answer is not HTTP" });
  await one.close();
  expect(await post(one.url)).toMatchObject({ error: "the connection was refused" });
});

test.each([
  "http://example.com/",
  "https://127.0.0.1/",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://0x7f000001/",
  "https://169.254.169.254/",
])("sends nothing to %s", async (url) => {
  const answer = await post(url, { addresses: { allowPrivate: false } });
  expect(answer.status).toBeNull();
  expect(answer.error).toMatch(/^the (address is not public|URL is not an https URL)$/);
});

test.each(["10.0.0.1", "127.0.0.1", "100.64.0.1", "::1", "fd00::1"])(
  "refuses a name that DNS answers with %s beside a public address",
  async (address) => {
    const resolve = async () => [
      { address: "93.184.215.14", family: 4 },
      { address, family: address.includes(":") ? 6 : 4 },
    ];
    expect(
      await post("https://hooks.example.com/", { addresses: { allowPrivate: false }, resolve }),
    ).toMatchObject({
      error: "the address is not public",
    });
  },
);

test("resolves a name once, and connects to the address that was judged although DNS answers another one then", async () => {
  const [judged, internal] = [await receiver({ host: "127.0.0.2" }), await receiver()];
  const answers = ["127.0.0.2", "127.0.0.1", "127.0.0.1"];
  const seen: string[] = [];
  const resolve = async () => {
    const address = answers.shift()!;
    seen.push(address);
    return [{ address, family: 4 }];
  };
  const isAllowed = (address: string) => address === "127.0.0.2";
  const send = createPostWebhook({ addresses: { allowPrivate: true, isAllowed }, resolve });
  expect(await send(request(`http://hooks.example.com:${judged.port}/`))).toMatchObject({ status: 204 });
  expect(seen).toEqual(["127.0.0.2"]);
  expect(await send(request(`http://hooks.example.com:${internal.port}/`))).toMatchObject({
    error: "the address is not public",
  });
  expect([judged.received.length, internal.received.length]).toEqual([1, 0]);
});

test("a proxy gets the judged address and not the name, and no address that is not public", async () => {
  const certificate = aCertificate("hooks.example.com");
  const one = await receiver({
    tls: {
      cert: certificate.certificate,
      key: certificate.key.export({ type: "pkcs8", format: "pem" }).toString(),
    },
  });
  const proxy = await aConnectProxy();
  proxy.leadsTo = one.port;
  const addresses: Record<string, string> = {
    "hooks.example.com": "93.184.215.14",
    "inside.example.com": "10.0.0.1",
  };
  const send = createPostWebhook({
    addresses: { allowPrivate: false },
    resolve: async (name) => [{ address: addresses[name]!, family: 4 }],
    proxy: { url: new URL(proxy.url), authorization: "Basic YTpi" },
    ca: certificate.certificate,
  });
  expect(await send(request("https://hooks.example.com/"))).toMatchObject({ status: 204, error: null });
  expect(one.received[0]!.headers.host).toBe("hooks.example.com");
  for (const host of ["inside.example.com", "127.0.0.1", "[::1]", "169.254.169.254"])
    expect(await send(request(`https://${host}/`))).toMatchObject({ error: "the address is not public" });
  expect(proxy.targets).toEqual(["93.184.215.14:443"]);
  expect(proxy.authorizations).toEqual(["Basic YTpi"]);
  proxy.behaviour = 403;
  expect(await send(request("https://hooks.example.com/"))).toMatchObject({
    error: "the proxy refused the connection with HTTP 403",
  });
  await proxy.close();
});
