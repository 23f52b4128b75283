import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createContext, Script } from "node:vm";
import type { UploadStore } from "@stowage/client";
import { phoneGlobals } from "@stowage/client-fixtures/phone-globals";
import { aProject } from "@stowage/e2e/fixtures/a-project.js";
import { createStowage } from "@stowage/server";
import { createStowageClient } from "@stowage/server/client";
import { toNodeHandler } from "@stowage/server/node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { expoOnNode } from "../expo-on-node.js";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../..");
const PACKAGES = [
  "expo-file-system@58.0.14",
  "expo-modules-core@58.1.0",
  "react-native@0.88.1",
  "react@19.3.1",
  "@types/react@19.3.3",
  "@react-native/metro-config@0.88.1",
  "@react-native/babel-preset@0.88.1",
  "metro@0.87.1",
  "@babel/core@7.29.13",
  "hermes-compiler@260318099.0.8",
];

const METRO = `
const { getDefaultConfig } = require("@react-native/metro-config");
const Metro = require("metro");
const config = getDefaultConfig(__dirname);
const expo = { type: "sourceFile", filePath: __dirname + "/expo.js" };
Object.assign(config, { maxWorkers: 1, watchFolders: [__dirname] });
Object.assign(config.resolver, {
  useWatchman: false,
  resolveRequest: (context, name, platform) =>
    name === "expo-file-system" ? expo : context.resolveRequest(context, name, platform),
});
Object.assign(config.serializer, { getModulesRunBeforeMainModule: () => [], getPolyfills: () => [] });
Metro.runBuild(config, { entry: "entry.js", out: "bundle.js", platform: "ios", dev: false, minify: false });
`;

interface Guide {
  uploads: UploadStore;
  phoneFile(uri: string): Parameters<UploadStore["add"]>[0] extends Iterable<infer Chosen> ? Chosen : never;
}

let folder: string;
let backend: ReturnType<typeof createServer>;
let client: ReturnType<typeof createStowageClient>;
beforeAll(async () => {
  const { apiKey } = await aProject();
  const settings = { apiKey, baseUrl: inject("stowage").url };
  client = createStowageClient(settings);
  const tenant = (request: Request) =>
    request.headers.get("Authorization") === "Bearer ada's" ? "ada" : null;
  const handle = toNodeHandler(createStowage({ ...settings, tenant }));
  backend = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(backend, "listening");
  folder = await mkdtemp(join(tmpdir(), "react-native-"));
  await writeProject(`http://127.0.0.1:${(backend.address() as AddressInfo).port}/api/stowage`);
});
afterAll(async () => {
  backend.closeAllConnections();
  backend.close();
  await rm(folder, { recursive: true });
});

/** An app with the programs of the guide, and what npm installs for a customer. */
async function writeProject(endpoint: string): Promise<void> {
  await writeFile(join(folder, "package.json"), "{}");
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
  await run("npm", ["install", ...options, "--prefix", folder, ...PACKAGES, "idb@8", "@noble/hashes@2.4.0"]);
  for (const name of ["client", "schemas"]) {
    for (const part of ["dist", "package.json"]) {
      const from = join(ROOT, "packages", name, part);
      await cp(from, join(folder, "node_modules/@stowage", name, part), { recursive: true });
    }
  }
  const guide = await readFile(join(ROOT, "docs/guides/react-native.md"), "utf8");
  const programs = [...guide.matchAll(/^```tsx?\n\/\/ (\S+)\n([^]*?)^```$/gm)];
  expect(programs.map(([, path]) => path)).toEqual([
    "stowage/phone-file.ts",
    "stowage/uploads.ts",
    "app/upload.tsx",
  ]);
  const files = {
    ...Object.fromEntries(
      programs.map(([, path, code]) => [
        path!,
        code!.replace("https://app.example.com/api/stowage", endpoint),
      ]),
    ),
    "stowage/session.ts": `export const sessionToken = async () => "ada's";`,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true,
        module: "esnext",
        moduleResolution: "bundler",
        jsx: "react-jsx",
        noEmit: true,
        skipLibCheck: true,
        lib: ["es2023", "dom"],
        types: ["react-native"],
      },
      include: ["stowage", "app"],
    }),
    "babel.config.js": 'module.exports = { presets: ["module:@react-native/babel-preset"] };',
    "expo.js": "module.exports = globalThis.expoFileSystem;",
    "entry.js": `import { uploads } from "./stowage/uploads";
      import { phoneFile } from "./stowage/phone-file";
      globalThis.guide = { uploads, phoneFile };`,
    "metro.cjs": METRO,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

test("the guide compiles with Expo's types", async () => {
  expect(await run(join(ROOT, "lab/node_modules/.bin/tsc"), ["-p", folder])).toMatchObject({ stdout: "" });
});

test("Metro bundles the guide, Hermes compiles it, and it uploads by one PUT and by parts", async () => {
  await run("node", ["metro.cjs"], { cwd: folder });
  const hermes = join(folder, "node_modules/hermes-compiler/hermesc/linux64-bin/hermesc");
  await run(hermes, ["-emit-binary", "-out", join(folder, "bundle.hbc"), join(folder, "bundle.js")], {
    maxBuffer: 2 ** 26,
  });

  const cache = join(folder, "cache");
  await mkdir(cache);
  const { expoFileSystem, uploads: sent } = expoOnNode(cache);
  const realm = createContext({ ...phoneGlobals(console.log), expoFileSystem });
  new Script(await readFile(join(folder, "bundle.js"), "utf8")).runInContext(realm);
  const { uploads, phoneFile } = (realm as unknown as { guide: Guide }).guide;

  const files = { "note.txt": randomBytes(1000), "film.mp4": randomBytes(40 * 1024 ** 2 + 1) };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  uploads.add(Object.keys(files).map((name) => phoneFile(`file://${join(folder, name)}`)));
  await expect.poll(() => uploads.getSnapshot().totals.active, { timeout: 120_000 }).toBe(0);
  const { items } = uploads.getSnapshot();
  expect(items.map(({ name, status }) => [name, status])).toEqual([
    ["note.txt", "done"],
    ["film.mp4", "done"],
  ]);
  const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  for (const item of items) {
    if (item.status !== "done") throw new Error(item.status);
    const { presignedUrl } = await client.downloadUrl(item.result.file_path, { tenantId: "ada" });
    const stored = new Uint8Array(await (await fetch(presignedUrl)).arrayBuffer());
    expect(hashOf(stored)).toBe(hashOf(files[item.name as keyof typeof files]));
  }
  // One PUT of the file itself; the other one by parts, whose copies are gone.
  expect(sent.filter((path) => path === join(folder, "note.txt"))).toHaveLength(1);
  expect(sent.filter((path) => path.startsWith(cache)).length).toBeGreaterThan(1);
  expect(sent).not.toContain(join(folder, "film.mp4"));
  expect(await run("ls", [cache])).toMatchObject({ stdout: "" });
});
