import { cp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { run } from "./fixtures/run.js";

const customers = inject("customers");

const binOf = (typescript: string) =>
  join(dirname(createRequire(import.meta.url).resolve(`${typescript}/package.json`)), "bin/tsc");
const COMPILERS = { "TypeScript 5": binOf("typescript-5"), "TypeScript 7": binOf("typescript") };

/** TypeScript 7 checks all combinations. TypeScript 5 takes five times as long, so it checks each React version once. */
const COMBINATIONS = [
  ["react18", "TypeScript 7", "bundler"],
  ["react18", "TypeScript 7", "nodenext"],
  ["react19", "TypeScript 7", "bundler"],
  ["react19", "TypeScript 7", "nodenext"],
  ["react18", "TypeScript 5", "bundler"],
  ["react19", "TypeScript 5", "nodenext"],
] as const;

describe("customer/types, compiled against the packed packages", { timeout: 900_000 }, () => {
  test.each(COMBINATIONS)(
    "accepts correct use and rejects misuse: %s, %s, %s",
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
        // The declarations of the packages are checked too, not only the code that uses them.
        skipLibCheck: false,
        // The compiler's own lib.dom.d.ts does not depend on the packages, and takes a fifth of the time.
        skipDefaultLibCheck: true,
        noEmit: true,
      };
      await writeFile(join(folder, tsconfig), JSON.stringify({ compilerOptions, include: ["."] }));
      const output = await run(process.execPath, [COMPILERS[typescript], "-p", tsconfig], {
        cwd: folder,
        timeoutMs: 290_000,
      });
      expect(output).toBe("");
    },
  );
});
