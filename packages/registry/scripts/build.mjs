// Writes `dist/r/`: `registry.json` and one file per item, with the text of its files, as `shadcn build` does. The real command is not
// used here, because it would bring 190 packages into every install. `pnpm lab shadcn` compares both outputs.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const out = join(root, "dist", "r");
const ITEM_SCHEMA = "https://ui.shadcn.com/schema/registry-item.json";

const registry = JSON.parse(await readFile(join(root, "registry.json"), "utf8"));
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await write("registry", registry);
for (const item of registry.items) {
  const files = item.files.map(async ({ path, ...rest }) => {
    return { path, content: await readFile(join(root, path), "utf8"), ...rest };
  });
  await write(item.name, { $schema: ITEM_SCHEMA, ...item, files: await Promise.all(files) });
}

async function write(name, value) {
  await writeFile(join(out, `${name}.json`), JSON.stringify(value, null, 2));
}
