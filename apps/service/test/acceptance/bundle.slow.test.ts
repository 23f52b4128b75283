import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const dist = new URL("../../dist/", import.meta.url);

test("the modules for the first answer do not include those of later ones", async () => {
  const sources = await sourcesOf(["main.js", "chunk-serve.js", "chunk-compose.js"]);
  expect(sources).toContain("fastify");
  expect(sources).toContain("src/http/routes/files.ts");
  const later = ["better-auth", "@aws-sdk/client-s3", "@trpc/server", "csv-stringify", "ajv", "prom-client"];
  for (const name of [...later, "src/trpc/router.ts", "src/http/openapi/describe-api.ts"]) {
    expect(sources).not.toContain(name);
  }
});

/** Reads from the source maps which modules these files and their static imports contain. */
async function sourcesOf(files: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const seen = new Set(files);
  for (const file of seen) {
    const code = await readFile(new URL(file, dist), "utf8");
    for (const [, imported] of code.matchAll(/^(?:import|export) .*"\.\/([\w-]+\.js)";$/gm))
      seen.add(imported!);
    if (!code.includes("sourceMappingURL")) continue;
    const map = JSON.parse(await readFile(new URL(`${file}.map`, dist), "utf8")) as { sources: string[] };
    for (const source of map.sources) found.add(nameOf(fileURLToPath(new URL(source, dist))));
  }
  return found;
}

function nameOf(path: string): string {
  const [, name] = /.*\/(?:node_modules\/((?:@[^/]+\/)?[^/]+)|(src\/.*))/.exec(path)?.filter(Boolean) ?? [];
  return name ?? path;
}
