import { existsSync, realpathSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { recordOf } from "@stowage/third-party";
import type { AstroIntegration } from "astro";

/**
 * Records whose code and markup the site contains, as the builds of service and dashboard do. Scripts come from Astro's client
 * build. Its server build renders the pages: of that, the site contains the markup of components and the style sheets.
 */
export function thirdPartyLicenses(): AstroIntegration {
  const modules = new Set<string>();
  const recordModules = {
    name: "record-modules",
    generateBundle(this: { getModuleIds(): Iterable<string>; environment: { name: string } }) {
      const isClient = this.environment.name === "client";
      for (const id of this.getModuleIds()) {
        if (isClient || /\.(astro|css)(\?|$)/.test(id)) modules.add(id.replace(/[?#].*$/, ""));
      }
    },
  };
  return {
    name: "third-party-licenses",
    hooks: {
      "astro:config:setup": ({ updateConfig }) => void updateConfig({ vite: { plugins: [recordModules] } }),
      "astro:build:done": async ({ dir }) => {
        const record = recordOf([...modules, ...writtenByPackages()]);
        for (const [name, text] of Object.entries(record))
          await writeFile(fileURLToPath(new URL(name, dir)), text);
      },
    },
  };
}

/** Packages that write files into the site themselves: the search, and the style and script of code blocks. */
function writtenByPackages(): string[] {
  const starlight = packageFolder("@astrojs/starlight", process.cwd());
  const inAstro = packageFolder("astro-expressive-code", starlight);
  const expressiveCode = packageFolder("expressive-code", packageFolder("rehype-expressive-code", inAstro));
  const parts = ["core", "plugin-frames", "plugin-shiki", "plugin-text-markers"];
  return [
    packageFolder("pagefind", starlight),
    expressiveCode,
    ...parts.map((name) => packageFolder(`@expressive-code/${name}`, expressiveCode)),
  ].map((folder) => join(folder, "package.json"));
}

/** The folder of a package that another one depends on. Not all of them export their package.json. */
function packageFolder(name: string, from: string): string {
  const folders = createRequire(join(from, "package.json")).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder));
  if (found === undefined) throw new Error(`${from} does not depend on ${name}`);
  return realpathSync(found);
}
