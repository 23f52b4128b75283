import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalRegistry, startLocalRegistry } from "../src/start-registry.js";

let registry: LocalRegistry;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-customer-"));
  registry = await startLocalRegistry();
});
afterAll(async () => {
  await registry?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Installs into an empty folder, with an empty cache and an empty home folder. */
async function install(name: string, ...packages: string[]): Promise<string> {
  const customer = join(folder, name);
  await mkdir(join(customer, "app"), { recursive: true });
  const app = join(customer, "app");
  await writeFile(join(app, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await promisify(execFile)("npm", ["install", ...packages], {
    cwd: app,
    env: registry.environmentFor(customer),
    timeout: 120_000,
  });
  return app;
}

describe("the local registry", () => {
  test("has every package that a release publishes, in its version", async () => {
    expect(registry.packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["@stowage/schemas", "@stowage/server", "@stowage/react", "@stowage/dev-store"]),
    );
    for (const { name, version } of registry.packages) {
      const answer = await fetch(`${registry.url}/${name}`);
      expect(await answer.json()).toMatchObject({ "dist-tags": { latest: version } });
    }
  });

  test("installs our packages and what they need with an empty cache", async () => {
    const app = await install("server", "@stowage/server");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", 'console.log(typeof (await import("@stowage/server")).createStowage)'],
      { cwd: app, timeout: 30_000 },
    );
    expect(stdout).toBe("function\n");
    const lockfile = await readFile(join(app, "package-lock.json"), "utf8");
    const { packages } = JSON.parse(lockfile) as { packages: Record<string, { resolved?: string }> };
    const sources = Object.values(packages).flatMap(({ resolved }) =>
      resolved ? [new URL(resolved).origin] : [],
    );
    expect(packages).toHaveProperty("node_modules/zod");
    expect([...new Set(sources)]).toEqual([registry.url]);
  });
});
