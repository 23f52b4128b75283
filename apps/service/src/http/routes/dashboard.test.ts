import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp } from "../../../test/fixtures/an-app.js";

const PAGE = "<title>The dashboard</title>";
const SECRET = "a file that no address may serve";

let folder: string;
let app: FastifyInstance;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-served-"));
  const files = {
    "secret.txt": SECRET,
    "secret.md": SECRET,
    "docs/guide.md": "# A guide",
    "docs/secret.json": SECRET,
    "dist/index.html": PAGE,
    "dist/third-party-licenses.txt": "Licenses",
    "dist/third-party.json": SECRET,
    "dist/.vite/manifest.json": SECRET,
    "dist/assets/app.js": "run()",
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  app = await anApp({ dashboardDir: join(folder, "dist"), docsDir: join(folder, "docs"), version: "1.2.3" });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test.each(["/", "/projects/x/files"])(
  "the page at %s runs only its own scripts, in no frame",
  async (url) => {
    const { body, headers } = await app.inject({ url, headers: { accept: "text/html" } });
    expect(body).toBe(PAGE);
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "connect-src 'self' http://storage.example",
        "frame-src http://storage.example",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.filter((each) => /\*|unsafe-eval|https?:(?!\/\/storage\.example)/.test(each))).toEqual([]);
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    });
  },
);

test("serves the licenses of the code that browsers get", async () => {
  const { body, headers } = await app.inject("/third-party-licenses.txt");
  expect([body, headers["content-type"]]).toEqual(["Licenses", "text/plain; charset=utf-8"]);
});

test.each([
  "/third-party.json",
  "/.vite/manifest.json",
  "/assets/../third-party.json",
  "/assets/..%2fthird-party.json",
  "/assets/%2e%2e/third-party.json",
  "/assets/..%5cthird-party.json",
  "/assets/%252e%252e/third-party.json",
  "/assets//../../secret.txt",
  "/docs/secret.json",
  "/docs/..%2fsecret.md",
  "/docs/%2e%2e/secret.md",
  "/docs/..%5csecret.md",
  "/docs/secret.json%00.md",
])("serves no file outside of the assets and the guides: %s", async (url) => {
  for (const accept of ["*/*", "text/html"]) {
    const { body, headers } = await app.inject({ url, headers: { accept } });
    expect(body).not.toContain(SECRET);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  }
});

test("serves the assets and the guides", async () => {
  expect((await app.inject("/assets/app.js")).body).toBe("run()");
  expect((await app.inject("/docs/guide.md")).body).toBe("# A guide");
});
