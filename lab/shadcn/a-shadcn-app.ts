import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { LocalRegistry } from "@stowage/local-registry";

const exec = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, "../..");
const ITEMS_FOLDER = join(REPOSITORY, "packages/registry");
/** The real command, from npm. */
const SHADCN = "shadcn@4.23.0";
const TIMEOUT_MS = 400_000;
const QUIET = { NEXT_TELEMETRY_DISABLED: "1" };

export interface ShadcnTools {
  registry: LocalRegistry;
  /** Where the home folder, the cache and the app are created. */
  folder: string;
}

/** Runs a program as a customer would, with packages from the local registry. @throws {Error} with its output if it fails */
async function run({ registry, folder }: ShadcnTools, cwd: string, command: string, ...args: string[]) {
  const env = { ...registry.environmentFor(folder), ...QUIET };
  try {
    await exec(command, args, { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 1 << 26 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")} failed\n${stdout}${stderr}`, { cause: error });
  }
}

/** What `shadcn build` writes: the text of each file, by its name. */
export async function buildByShadcn(tools: ShadcnTools, into: string): Promise<void> {
  await run(tools, ITEMS_FOLDER, "npx", SHADCN, "build", "registry.json", "--output", into);
}

/**
 * Creates a Next app as `create-next-app` and `shadcn init` leave it, adds all items with the shadcn command, writes the examples of
 * docs/shadcn.md into it, and builds it.
 *
 * @returns its folder
 */
export async function buildShadcnApp(tools: ShadcnTools): Promise<string> {
  const app = join(tools.folder, "app");
  await cp(join(import.meta.dirname, "app"), app, { recursive: true });
  await run(tools, app, "npm", "install", "@stowage/server");

  await using items = await serveItems();
  await nameRegistry(join(app, "components.json"), `${items.url}/r/{name}.json`);
  const { items: listed } = JSON.parse(await readFile(join(ITEMS_FOLDER, "registry.json"), "utf8")) as {
    items: { name: string }[];
  };
  const names = listed.map(({ name }) => `@stowage/${name}`);
  await run(tools, app, "npx", SHADCN, "add", ...names, "--yes");

  for (const { path, code } of await readExamples()) {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await writeFile(join(app, path), code);
  }
  await run(tools, app, "npx", "next", "build");
  return app;
}

/** Serves the built items as a site would. */
async function serveItems() {
  const server = createServer((request, response) => {
    const name = /^\/r\/[a-z-]+\.json$/.exec(request.url ?? "")?.[0];
    const text =
      name === undefined
        ? Promise.reject(new Error("no such file"))
        : readFile(join(ITEMS_FOLDER, "dist", name));
    text.then(
      (item) => response.setHeader("Content-Type", "application/json").end(item),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function nameRegistry(file: string, address: string): Promise<void> {
  const settings = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...settings, registries: { "@stowage": address } }));
}

/** The examples of docs/shadcn.md whose first line names their path. */
async function readExamples(): Promise<{ path: string; code: string }[]> {
  const page = await readFile(join(REPOSITORY, "docs/shadcn.md"), "utf8");
  const blocks = page.matchAll(/^```tsx? fragment\n\/\/ (\S+)\n(.*?)^```$/gms);
  return [...blocks].map(([, path, code]) => ({ path: path!, code: code! }));
}

/** Runs `next start` on a free port. */
export async function startShadcnApp(app: string, env: Record<string, string>) {
  const next = join(app, "node_modules/next/dist/bin/next");
  const server = spawn(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: app,
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...QUIET, ...env },
  });
  return {
    url: await addressOf(server),
    async [Symbol.asyncDispose]() {
      if (server.exitCode !== null) return;
      server.kill();
      await once(server, "exit");
    },
  };
}

async function addressOf(server: ChildProcess): Promise<string> {
  for await (const line of createInterface(server.stdout!)) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error("next start ended before it printed its address");
}
