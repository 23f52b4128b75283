import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FastifyInstance } from "fastify";
import { anApp } from "../../test/fixtures/an-app.js";
import { strictTransport } from "./strict-transport.js";

const YEAR = 31_536_000;
const PROXY = "10.0.0.1";
const paths = [
  "/healthz",
  "/openapi.json",
  "/",
  "/api/storage/files/",
  "/nothing",
  "/dashboard/export/projects.csv",
];

async function headersOf(app: FastifyInstance, headers: Record<string, string>, remoteAddress = PROXY) {
  const answers = await Promise.all(
    paths.map((url) => app.inject({ url, headers: { host: "files.example", ...headers }, remoteAddress })),
  );
  return new Set(answers.map((answer) => answer.headers["strict-transport-security"]));
}

const never = new Set([undefined]);
const always = new Set([`max-age=${YEAR}`]);
const start = (dashboardUrl?: string, maxAgeSeconds = YEAR) =>
  anApp({
    dashboardDir: "none",
    docsDir: "none",
    version: "1",
    trustedProxies: [PROXY],
    strictTransport: strictTransport(maxAgeSeconds, dashboardUrl),
  });

describe.each<[string, string | undefined]>([
  ["without a dashboard's address", undefined],
  ["with a plain http address", "http://files.example"],
])("%s, Strict-Transport-Security", (_, dashboardUrl) => {
  let app: FastifyInstance;
  beforeAll(async () => void (app = await start(dashboardUrl)));
  afterAll(() => app.close());

  test("is sent with every answer to a request that a trusted proxy received over https", async () => {
    expect(await headersOf(app, { "x-forwarded-proto": "https" })).toEqual(always);
  });

  test("is not sent over plain http, nor if only the client claims https", async () => {
    expect(await headersOf(app, {})).toEqual(never);
    expect(await headersOf(app, { "x-forwarded-proto": "http" })).toEqual(never);
    expect(await headersOf(app, { "x-forwarded-proto": "https" }, "203.0.113.7")).toEqual(never);
  });
});

describe("with an https address, Strict-Transport-Security", () => {
  let app: FastifyInstance;
  beforeAll(async () => void (app = await start("https://files.example")));
  afterAll(() => app.close());

  test("is sent with every answer to a request for its host", async () => {
    expect(await headersOf(app, {})).toEqual(always);
    expect(await headersOf(app, { "x-forwarded-proto": "https" }, "203.0.113.7")).toEqual(always);
  });

  test("is not sent for another host, nor if the proxy received the request over plain http", async () => {
    expect(await headersOf(app, { host: "127.0.0.1:4000" })).toEqual(never);
    expect(await headersOf(app, { "x-forwarded-proto": "http" })).toEqual(never);
  });
});

test("a maximum age of zero makes browsers forget the host", async () => {
  const app = await start("https://files.example", 0);
  expect(await headersOf(app, {})).toEqual(new Set(["max-age=0"]));
  await app.close();
});
