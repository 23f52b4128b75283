import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { sharedChromium } from "@stowage/e2e/fixtures/chromium.js";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../..");

/** What the program of the guide calls. The binary of Electron is not in npm's registry, only its types are. */
const ELECTRON = `
export const calls = { schemes: [], handlers: {}, addresses: [] };
export const app = { whenReady: async () => {} };
export const protocol = {
  registerSchemesAsPrivileged: (schemes) => calls.schemes.push(...schemes),
  handle: (scheme, handler) => (calls.handlers[scheme] = handler),
};
import { readFile } from "node:fs/promises";
export const net = { fetch: async (url) => new Response(await readFile(new URL(url))) };
export class BrowserWindow {
  async loadURL(address) { calls.addresses.push(address); }
}
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "electron-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  await run("npm", ["install", ...options, "--prefix", folder, "electron@45.5.0", "@types/node@24.10.0"]);
  const guide = await readFile(join(ROOT, "docs/guides/electron.md"), "utf8");
  const [, program] = /^```ts\n\/\/ main\.ts\n([^]*?)^```$/m.exec(guide) ?? [];
  await writeFile(join(folder, "main.ts"), program!);
  const compilerOptions = {
    strict: true,
    target: "es2022",
    module: "nodenext",
    types: ["node"],
    skipLibCheck: true,
    outDir: "built",
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
});
afterAll(() => rm(folder, { recursive: true }));

test("the guide compiles with Electron's types, and its scheme answers files of the app only", async () => {
  await run(join(ROOT, "lab/node_modules/.bin/tsc"), ["-p", folder]);
  const app = join(folder, "app");
  await mkdir(join(app, "pages"), { recursive: true });
  await mkdir(join(app, "node_modules/electron"), { recursive: true });
  await writeFile(join(app, "node_modules/electron/index.js"), ELECTRON);
  await writeFile(
    join(app, "node_modules/electron/package.json"),
    '{ "name": "electron", "type": "module", "exports": "./index.js" }',
  );
  await writeFile(join(app, "package.json"), '{ "type": "module" }');
  await writeFile(join(app, "pages/index.html"), "the page");
  await writeFile(join(app, "secret.txt"), "secret");
  await cp(join(folder, "built/main.js"), join(app, "main.js"));
  await writeFile(
    join(app, "trial.js"),
    `import { calls } from "electron";
     import "./main.js";
     await new Promise((resolve) => setTimeout(resolve, 100));
     const ask = async (address) => {
       const answer = await calls.handlers.app(new Request(address));
       return [answer.status, await answer.text()];
     };
     const answers = [await ask("app://bundle/index.html"), await ask("app://bundle/..%2fsecret.txt")];
     console.log(JSON.stringify({ ...calls, answers }));`,
  );
  const { stdout } = await run("node", ["trial.js"], { cwd: app });
  expect(JSON.parse(stdout)).toMatchObject({
    schemes: [{ scheme: "app", privileges: { standard: true, secure: true } }],
    addresses: ["app://bundle/index.html"],
    answers: [
      [200, "the page"],
      [404, ""],
    ],
  });
});

test("a page that is loaded as a file has the origin null", async () => {
  const origins: unknown[] = [];
  const storage = createServer(({ headers }, response) => {
    origins.push(headers.origin);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(storage, "listening");
  await writeFile(join(folder, "page.html"), "<!doctype html>");
  const page = await (await sharedChromium()).newPage();
  await page.goto(pathToFileURL(join(folder, "page.html")).href);
  const url = `http://127.0.0.1:${(storage.address() as AddressInfo).port}/`;
  expect(await page.evaluate((to) => fetch(to, { method: "PUT" }).catch(String), url)).toContain("TypeError");
  expect(origins).toEqual(["null"]);
  await page.close();
  storage.closeAllConnections();
  storage.close();
});
