import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anApp } from "../../../test/fixtures/an-app.js";

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const SECRET = "a file that no address may serve";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-docs-"));
  const files = {
    "secret.md": SECRET,
    "docs/helper.md": "# The helper",
    "docs/errors/README.md": "# Error codes",
    "docs/widget.png": SECRET,
    "site/index.html": "<title>Stowage</title>",
    "site/404.html": "<title>Not found</title>",
    "site/helper/index.html": "<title>The helper</title>",
    "site/helper.md": "# The helper",
    "site/helper.md.br": "compressed",
    "site/llms.txt": "# Stowage",
    "site/_astro/page.abc.js": "run()",
    "site/_astro/page.abc.js.br": "compressed",
    "site/.hidden": SECRET,
    "site/pagefind/pagefind.js": "search()",
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), content);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const appOf = (deps: { docsSiteDir: string; docsDir?: string }) =>
  anApp({ dashboardDir: "none", docsDir: join(folder, "docs"), version: "1.2.3", ...deps });

describe("with the built site", () => {
  let app: FastifyInstance;
  beforeAll(async () => void (app = await appOf({ docsSiteDir: join(folder, "site") })));
  afterAll(() => app.close());

  test.each([
    ["/docs/", "<title>Stowage</title>", "text/html; charset=utf-8"],
    ["/docs/helper/", "<title>The helper</title>", "text/html; charset=utf-8"],
    ["/docs/helper.md", "# The helper", "text/plain; charset=utf-8"],
    ["/docs/llms.txt", "# Stowage", "text/plain; charset=utf-8"],
  ])("serves %s, which caches must ask for again", async (url, text, type) => {
    const { statusCode, body, headers } = await app.inject({ url, headers: BROWSER });
    expect([statusCode, body]).toEqual([200, text]);
    expect(headers).toMatchObject({ "content-type": type, "cache-control": "no-cache" });
    const again = await app.inject({ url, headers: { "if-none-match": String(headers["etag"]) } });
    expect(again.statusCode).toBe(304);
  });

  test("the service says where its documentation is, also without the folder of the Markdown", async () => {
    const app = await appOf({ docsSiteDir: join(folder, "site"), docsDir: "none" });
    expect((await app.inject("/")).json()).toMatchObject({ docs: "/docs/api.md" });
    await app.close();
  });

  test("serves files that are named by their content for a year, compressed where the browser can read it", async () => {
    const url = "/docs/_astro/page.abc.js";
    const plain = await app.inject(url);
    expect([plain.body, plain.headers["cache-control"]]).toEqual([
      "run()",
      "public, max-age=31536000, immutable",
    ]);
    const compressed = await app.inject({ url, headers: { "accept-encoding": "br" } });
    expect(compressed.body).toBe("compressed");
    expect(compressed.headers).toMatchObject({
      "content-encoding": "br",
      "content-type": "application/javascript; charset=utf-8",
      vary: "accept-encoding",
    });
    expect((await app.inject("/docs/pagefind/pagefind.js")).headers["cache-control"]).toBe("no-cache");
  });

  test("browsers show Markdown, also compressed, instead of saving it", async () => {
    const { body, headers } = await app.inject({
      url: "/docs/helper.md",
      headers: { "accept-encoding": "br" },
    });
    expect([body, headers["content-type"]]).toEqual(["compressed", "text/plain; charset=utf-8"]);
  });

  test("a page runs only scripts of its own host, in no frame", async () => {
    const { headers } = await app.inject("/docs/helper/");
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(
      policy.filter((each) => /\*|https?:|'unsafe-eval'|script-src.*'unsafe-inline'/.test(each)),
    ).toEqual([]);
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  });

  test.each([
    ["/docs", "/docs/"],
    ["/docs?theme=dark", "/docs/"],
    ["/docs/helper", "/docs/helper/"],
  ])("redirects %s to the address with a slash", async (url, location) => {
    const answer = await app.inject({ url, headers: BROWSER });
    expect([answer.statusCode, answer.headers.location]).toEqual([301, location]);
  });

  test.each(["/docs/nothing", "/docs/nothing/", "/docs/_astro/", "/docs/_astro/none.js"])(
    "answers %s with 404: a page for browsers, JSON for programs, and no list of files",
    async (url) => {
      const page = await app.inject({ url, headers: BROWSER });
      expect([page.statusCode, page.body]).toEqual([404, "<title>Not found</title>"]);
      expect(page.headers["x-error-code"]).toBe("not_found");
      const program = await app.inject(url);
      expect([program.statusCode, program.headers["x-error-code"]]).toEqual([404, "not_found"]);
    },
  );

  test.each([
    "/docs/.hidden",
    "/docs/../secret.md",
    "/docs/..%2fsecret.md",
    "/docs/%2e%2e/secret.md",
    "/docs/..%5csecret.md",
    "/docs//../../secret.md",
    "/docs/%252e%252e/secret.md",
  ])("serves no file outside of the site: %s", async (url) => {
    for (const headers of [{}, BROWSER]) {
      const { statusCode, body } = await app.inject({ url, headers });
      expect(statusCode).toBeGreaterThanOrEqual(400);
      expect(body).not.toContain(SECRET);
    }
  });
});

describe("without the built site", () => {
  let app: FastifyInstance;
  beforeAll(async () => void (app = await appOf({ docsSiteDir: "none" })));
  afterAll(() => app.close());

  test("serves the Markdown as text", async () => {
    const { body, headers } = await app.inject("/docs/helper.md");
    expect([body, headers["content-type"]]).toEqual(["# The helper", "text/plain; charset=utf-8"]);
  });

  test.each([
    ["/docs/helper/", "/docs/helper.md"],
    ["/docs/helper?x=1", "/docs/helper.md"],
    ["/docs/errors/", "/docs/errors/README.md"],
  ])("leads a browser from the page at %s to its Markdown", async (url, location) => {
    const answer = await app.inject({ url, headers: BROWSER });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, location]);
  });

  test.each(["/docs", "/docs/", "/docs/nothing/", "/docs/widget.png"])(
    "answers %s with 404, and tells a browser how to build the site and where the Markdown is",
    async (url) => {
      const page = await app.inject({ url, headers: BROWSER });
      expect([page.statusCode, page.headers["content-type"]]).toEqual([404, "text/plain; charset=utf-8"]);
      expect(page.headers["x-error-code"]).toBe("not_found");
      expect(page.body).toContain("npx pnpm build");
      expect(page.body).toContain("\n/docs/helper.md\n");
      expect((await app.inject(url)).headers["x-error-code"]).toBe("not_found");
    },
  );
});

test("without site and Markdown, there is nothing below /docs/", async () => {
  const app = await appOf({ docsSiteDir: "none", docsDir: "none" });
  const answer = await app.inject({ url: "/docs/helper.md", headers: BROWSER });
  expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([404, "not_found"]);
  await app.close();
});
