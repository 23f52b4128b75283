import { cp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { run } from "./fixtures/run.js";

const customers = inject("customers");

const binOf = (typescript: string) =>
  join(dirname(createRequire(import.meta.url).resolve(`${typescript}/package.json`)), "bin/tsc");
const COMPILERS = { "TypeScript 5": binOf("typescript-5"), "TypeScript 7": binOf("typescript") };

/** The newest compiler everywhere; the one before it takes five times as long and sees each customer once. */
const COMPILED = [
  ["react18", "TypeScript 7", "bundler"],
  ["react18", "TypeScript 7", "nodenext"],
  ["react19", "TypeScript 7", "bundler"],
  ["react19", "TypeScript 7", "nodenext"],
  ["react18", "TypeScript 5", "bundler"],
  ["react19", "TypeScript 5", "nodenext"],
] as const;

// Seconds on a machine of its own; every core is busy in a whole run.
describe("customer/types, compiled against the packed packages", { timeout: 120_000 }, () => {
  it.each(COMPILED)(
    "is right, and its misuses wrong: %s, %s, %s",
    async (name, typescript, moduleResolution) => {
      const folder = join(customers[name], "types");
      await cp(join(import.meta.dirname, "customer/types"), folder, { recursive: true });
      const tsconfig = `tsconfig.${moduleResolution}.json`;
      const compilerOptions = {
        moduleResolution,
        module: moduleResolution === "bundler" ? "esnext" : "nodenext",
        target: "es2022",
        lib: ["es2023", "dom", "dom.iterable"],
        jsx: "react-jsx",
        types: ["node"],
        strict: true,
        exactOptionalPropertyTypes: true,
        // What the packages declare is judged too, not only what is made of it.
        skipLibCheck: false,
        noEmit: true,
      };
      await writeFile(join(folder, tsconfig), JSON.stringify({ compilerOptions, include: ["."] }));
      const said = await run(process.execPath, [COMPILERS[typescript], "-p", tsconfig], {
        cwd: folder,
        timeoutMs: 100_000,
      });
      expect(said).toBe("");
    },
  );
});
