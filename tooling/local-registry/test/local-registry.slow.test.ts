import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../src/published-packages.js";
import { type LocalRegistry, startLocalRegistry } from "../src/start-registry.js";
import { aCustomer } from "./a-customer.js";

interface Packument {
  readme: string;
  versions: Record<string, { homepage: string }>;
}

let registry: LocalRegistry;
beforeAll(async () => {
  registry = await startLocalRegistry();
});
afterAll(() => registry?.close());

describe("the local registry", () => {
  test("has every package that a release publishes, in its version", async () => {
    const names = registry.packages.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["stowage", "create-stowage", "@stowage/server"]));
    for (const { name, version } of registry.packages) {
      const answer = await fetch(`${registry.url}/${name}`);
      expect(await answer.json()).toMatchObject({ "dist-tags": { latest: version } });
    }
  });

  test("has readmes and homepages whose addresses are pages of the documentation site", async () => {
    const { homepage: site } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      homepage: string;
    };
    for (const { name, version } of registry.packages) {
      const { readme, versions } = (await (await fetch(`${registry.url}/${name}`)).json()) as Packument;
      const links = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
      const addresses = [versions[version]!.homepage, ...links.filter((link) => link.startsWith(site))];
      expect.soft(links.filter((link) => !/^(https?:|#)/.test(link))).toEqual([]);
      expect.soft(addresses[0]).toContain(`${site}/packages/`);
      for (const address of addresses) {
        const { pathname } = new URL(address.slice(site.length), "http://site");
        const page = join(root, "apps/docs/dist", pathname, "index.html");
        await expect(access(page), address).resolves.toBeUndefined();
      }
    }
  });

  test("installs our packages and what they need with an empty cache", { timeout: 540_000 }, async () => {
    await using customer = await aCustomer(registry);
    await customer.run("npm", "install", "@stowage/server");
    const code = 'console.log(typeof (await import("@stowage/server")).createStowage)';
    const { stdout } = await customer.run("node", "--input-type=module", "-e", code);
    expect(stdout).toBe("function\n");
    const lockfile = await readFile(join(customer.app, "package-lock.json"), "utf8");
    const { packages } = JSON.parse(lockfile) as { packages: Record<string, { resolved?: string }> };
    const sources = Object.values(packages).flatMap(({ resolved }) =>
      resolved ? [new URL(resolved).origin] : [],
    );
    expect(packages).toHaveProperty("node_modules/zod");
    expect([...new Set(sources)]).toEqual([registry.url]);
  });
});
