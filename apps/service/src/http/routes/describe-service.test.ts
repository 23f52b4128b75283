import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { docsDir } from "#paths.js";
import { anApp } from "../../../test/fixtures/an-app.js";

let dashboardDir: string;
beforeAll(async () => {
  dashboardDir = await mkdtemp(join(tmpdir(), "stowage-dashboard-"));
  await mkdir(join(dashboardDir, "assets"));
  await writeFile(join(dashboardDir, "index.html"), "<title>The dashboard</title>");
});
afterAll(() => rm(dashboardDir, { recursive: true }));

const description = {
  name: "Stowage",
  version: "1.2.3",
  docs: "/docs/api.md",
  openapi: "/openapi.json",
};

describe.each([
  ["with the dashboard", () => dashboardDir],
  ["without the dashboard", () => "none"],
])("GET / of a service %s", (_which, dir) => {
  let app: FastifyInstance;
  beforeAll(async () => void (app = await anApp({ dashboardDir: dir(), docsDir, version: "1.2.3" })));
  afterAll(() => app.close());

  test.each([[undefined], ["*/*"], ["application/json"]])(
    "names the service, its version, its documentation and its OpenAPI document, for Accept: %s",
    async (accept) => {
      const answer = await app.inject({ url: "/", headers: accept === undefined ? {} : { accept } });
      expect([answer.statusCode, answer.headers["content-type"], answer.headers.vary]).toEqual([
        200,
        "application/json; charset=utf-8",
        "Accept",
      ]);
      expect(operations.describeService.answer.strict().parse(answer.json())).toEqual(description);
    },
  );

  test("answers HEAD, and 405 to another method", async () => {
    expect((await app.inject({ method: "HEAD", url: "/" })).statusCode).toBe(200);
    const refused = await app.inject({ method: "POST", url: "/" });
    expect([refused.statusCode, refused.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("names addresses that exist", async () => {
    expect((await app.inject(description.openapi)).json()).toMatchObject({ openapi: "3.1.0" });
    const docs = await app.inject(description.docs);
    expect([docs.statusCode, docs.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(docs.body).toContain("# The REST API");
    expect((await app.inject("/docs/errors/method_not_allowed.md")).body).toContain("# method_not_allowed");
  });

  test.each([
    "/docs/nothing.md",
    "/docs/dashboard.png",
    "/docs/../README.md",
    "/docs/%2e%2e/README.md",
    "/docs/",
  ])("serves no other file below /docs/: %s", async (url) =>
    expect((await app.inject(url)).statusCode).toBe(404),
  );
});

test("GET / answers a browser with the dashboard", async () => {
  const app = await anApp({ dashboardDir, docsDir, version: "1.2.3" });
  const answer = await app.inject({
    url: "/",
    headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
  });
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect([answer.body, answer.headers.vary]).toEqual([
    "<title>The dashboard</title>",
    "Accept, accept-encoding",
  ]);
  await app.close();
});

test("GET / answers a browser with the description if there is no dashboard", async () => {
  const app = await anApp({ dashboardDir: "none", docsDir, version: "1.2.3" });
  expect((await app.inject({ url: "/", headers: { accept: "text/html" } })).json()).toEqual(description);
  await app.close();
});

test("GET / names no documentation if the service was installed without it", async () => {
  const app = await anApp({ dashboardDir: "none", docsDir: "none", version: "1.2.3" });
  expect((await app.inject("/")).json()).toEqual({ ...description, docs: null });
  await app.close();
});
