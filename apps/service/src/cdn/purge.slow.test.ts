import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { createBunnyCdn } from "./bunny.js";
import { type Cdn, isPurgeFailure } from "./cdn.js";
import { createCloudFrontCdn } from "./cloudfront.js";

/* No CDN answers here: a server of the test does, as the CDN's documentation says. */

const KEY = "secret-of-the-operator";
const FILE = "https://files.example.com/media/projects/p/a%20b.png";

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** @param status of each answer. Null: it never answers */
async function aServer(status: number | null, body = "") {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const { method = "", url = "", headers } = request;
      received.push({ method, url, headers, body: sent });
      if (status !== null) response.writeHead(status, { Location: "http://127.0.0.1:1/" }).end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const bunny = (endpoint: string, timeoutMs = 60_000) => createBunnyCdn({ apiKey: KEY, endpoint, timeoutMs });
function cloudFront(endpoint: string, timeoutMs = 60_000) {
  let orders = 0;
  const cdn = createCloudFrontCdn({
    distributionId: "EDFDVBD6EXAMPLE",
    credentials: { accessKeyId: "AKIAEXAMPLE", secretAccessKey: KEY },
    randomId: () => `order ${orders++}`,
    endpoint,
    timeoutMs,
  });
  ends.push(() => cdn.close());
  return cdn;
}

const CREATED = `<?xml version="1.0"?><Invalidation xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Id>I1</Id><Status>InProgress</Status></Invalidation>`;

test("Bunny gets the URL and the key", async () => {
  const { received, endpoint } = await aServer(200);
  await bunny(endpoint).purge(FILE);
  const [request] = received;
  expect(request).toMatchObject({ method: "POST", headers: { accesskey: KEY } });
  const { pathname, searchParams } = new URL(request!.url, endpoint);
  expect(pathname).toBe("/purge");
  expect(Object.fromEntries(searchParams)).toEqual({ url: FILE, async: "false" });
});

test("CloudFront gets the encoded paths of all URLs that are purged at the same time, signed, in few orders", async () => {
  const { received, endpoint } = await aServer(201, CREATED);
  const cdn = cloudFront(endpoint);
  await Promise.all(Array.from({ length: 50 }, (_, i) => cdn.purge(`${FILE}-${i}`)));
  expect(received.length).toBeLessThanOrEqual(3);
  for (const { method, url, headers, body } of received) {
    expect(method).toBe("POST");
    expect(url).toBe("/2020-05-31/distribution/EDFDVBD6EXAMPLE/invalidation");
    expect(headers["authorization"]).toContain("/us-east-1/cloudfront/aws4_request");
    const paths = [...body.matchAll(/<Path>([^<]+)<\/Path>/g)].map(([, path]) => path);
    expect(Number(/<Quantity>(\d+)<\/Quantity>/.exec(body)![1])).toBe(paths.length);
  }
  const all = received.flatMap(({ body }) =>
    [...body.matchAll(/<Path>([^<]+)<\/Path>/g)].map(([, path]) => path),
  );
  expect(new Set(all)).toEqual(
    new Set(Array.from({ length: 50 }, (_, i) => `/media/projects/p/a%20b.png-${i}`)),
  );
  const references = received.map(({ body }) => /<CallerReference>([^<]+)</.exec(body)![1]);
  expect(new Set(references).size).toBe(received.length);
});

test("CloudFront's queue that is too long is a failure of the CDN, like a refused order", async () => {
  const { endpoint } = await aServer(null);
  const cdn = cloudFront(endpoint, 200);
  // Two orders of 1,000 paths run at the same time, 10,000 paths wait, and there is no room for the others.
  const purges = Array.from({ length: 12_500 }, (_, i) => cdn.purge(`${FILE}-${i}`));
  const outcomes = await Promise.allSettled(purges);
  const others = outcomes.filter((each) => each.status === "fulfilled" || !isPurgeFailure(each.reason));
  expect(others).toEqual([]);
});

describe.each<[string, (endpoint: string, timeoutMs?: number) => Cdn]>([
  ["Bunny", bunny],
  ["CloudFront", cloudFront],
])("%s", (_, create) => {
  test.each([301, 401, 403, 404, 429, 500])(
    "HTTP %i is no purge, and the error has neither key nor URL",
    async (status) => {
      const { endpoint } = await aServer(status, "<Error><Code>X</Code></Error>");
      const error: unknown = await create(endpoint)
        .purge(FILE)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "unavailable" });
      const { cause } = error as { cause: Error };
      const said = `${String(error)} ${cause.message} ${String(cause.cause)}`;
      expect(said).toContain("the CDN did not take the purge");
      expect(said).not.toContain(KEY);
      expect(said).not.toContain("a%20b");
    },
  );

  test("no answer is no purge", async () => {
    const { endpoint } = await aServer(null);
    await expect(create(endpoint, 100).purge(FILE)).rejects.toMatchObject({ code: "unavailable" });
    await expect(create("http://127.0.0.1:1").purge(FILE)).rejects.toMatchObject({ code: "unavailable" });
  });
});
