import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
/** What each app has that ran `shadcn init` or is a React app. */
const IN_EVERY_APP = ["react", "@/registry/stowage/lib/utils"];

interface RegistryFile {
  path: string;
  type: "registry:component" | "registry:lib";
}
interface RegistryItem {
  name: string;
  title: string;
  description: string;
  dependencies: string[];
  registryDependencies?: string[];
  files: RegistryFile[];
}

const readJson = async <Value>(path: string) => JSON.parse(await readFile(path, "utf8")) as Value;
const { items } = await readJson<{ items: RegistryItem[] }>(join(ROOT, "registry.json"));

/** Reads what a file imports: packages and `@/registry/…` paths. */
async function readImports(path: string): Promise<string[]> {
  const text = await readFile(join(ROOT, path), "utf8");
  return [...text.matchAll(/(?:from|import) "([^"]+)"/g)].map(([, name]) => name!);
}

test("every component belongs to an item", async () => {
  const folder = "registry/stowage/components";
  const listed = new Set(items.flatMap(({ files }) => files.map(({ path }) => path)));
  const components = (await readdir(join(ROOT, folder))).map((name) => `${folder}/${name}`);
  expect(components.length).toBeGreaterThan(0);
  expect(components.filter((path) => !listed.has(path))).toEqual([]);
  expect(items.map(({ name }) => name)).toEqual([
    "upload-dropzone",
    "upload-button",
    "upload-avatar",
    "file-list",
    "upload-tray",
  ]);
});

describe.each(items)("$name", ({ dependencies, registryDependencies, files }) => {
  test("installs each file that its files import, and needs no item of another registry", async () => {
    const paths = files.map(({ path }) => path);
    for (const path of paths) {
      const imported = (await readImports(path)).filter((name) => name.startsWith("@/"));
      for (const name of imported.filter((each) => !IN_EVERY_APP.includes(each))) {
        const found = [".ts", ".tsx"]
          .map((ending) => name.slice(2) + ending)
          .filter((each) => paths.includes(each));
        expect(found, `${path} imports ${name}`).toHaveLength(1);
      }
    }
    expect(registryDependencies).toBeUndefined();
  });

  test("installs exactly the packages that its files import, which their exports allow", async () => {
    const imported = (await Promise.all(files.map(({ path }) => readImports(path)))).flat();
    const packages = imported.filter((name) => !name.startsWith("@/") && !IN_EVERY_APP.includes(name));
    expect([...new Set(packages.map(packageOf))].toSorted()).toEqual(dependencies.toSorted());
    const { exports } = await readJson<{ exports: object }>(
      join(ROOT, "node_modules/@stowage/react/package.json"),
    );
    const subpaths = packages
      .filter((name) => name.startsWith("@stowage/react"))
      .map((name) => name.replace("@stowage/react", "."));
    expect(subpaths.filter((subpath) => !(subpath in exports))).toEqual([]);
  });

  test("has the type that puts each file into the folder of its kind", () => {
    for (const { path, type } of files) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      expect(type).toBe(path.includes("/lib/") ? "registry:lib" : "registry:component");
    }
  });

  test("uses the tokens of the theme, and no colour of its own", async () => {
    for (const { path } of files) {
      const text = await readFile(join(ROOT, path), "utf8");
      expect(
        text.match(/#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)\(|-(?:gray|zinc|slate|red|blue|green)-\d/g),
      ).toBeNull();
    }
  });
});

/** @example packageOf("@stowage/react/styles.css") // "@stowage/react" */
function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}
