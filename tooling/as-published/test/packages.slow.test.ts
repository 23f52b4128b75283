import { readdir, readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { describe, expect, inject, test } from "vitest";
import { declaredEntries, installedFolder, PUBLISHED, readManifest } from "./fixtures/published.js";

const customers = inject("customers");
const { tarballs, react19 } = customers;

describe.each(PUBLISHED)("@stowage/%s as packed", (name) => {
  const folder = installedFolder(customers, name);

  test("has types that match its code, for each entry point and each ESM resolution mode", async () => {
    const { entrypoints, problems } = await analyse(tarballs[name]);
    const declared = await declaredEntries(await readManifest(folder), folder);
    expect(entrypoints).toEqual(expect.arrayContaining(declared.map(({ subpath }) => subpath)));
    expect(problems).toEqual([]);
  });

  test("contains every file that its exports name", async () => {
    const { exports } = await readManifest(folder);
    const { files } = await analyse(tarballs[name]);
    const targets = Object.values(exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : (Object.values(entry) as string[]),
    );
    const isContained = (target: string) => {
      const [start = "", end = ""] = target.slice("./".length).split("*");
      return target.includes("*")
        ? files.some((path) => path.startsWith(start) && path.endsWith(end))
        : files.includes(start);
    };
    expect(targets.filter((target) => !isContained(target))).toEqual([]);
  });

  test("contains its licence and readme, and none of its tests", async () => {
    const { files } = await analyse(tarballs[name]);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(files.filter((path) => /\.test\.|(^|\/)test\/|tsconfig|node_modules/.test(path))).toEqual([]);
  });

  test("imports only what it depends on", async () => {
    const { dependencies = {}, peerDependencies = {} } = await readManifest(folder);
    const known = new Set([`@stowage/${name}`, ...Object.keys({ ...dependencies, ...peerDependencies })]);
    const paths = await readdir(`${folder}/dist`, { recursive: true });
    const texts = paths
      .filter((path) => path.endsWith(".js"))
      .map((path) => readFile(`${folder}/dist/${path}`, "utf8"));
    const imported = (await Promise.all(texts)).flatMap((text) =>
      Array.from(
        text.matchAll(/^(?:import|export)[^;"']* from "((?:@[^/"]+\/)?[^./"][^/"]*)/gm),
        ([, found]) => found,
      ),
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((found = "") => !known.has(found) && !found.startsWith("node:"))).toEqual([]);
  });

  test("depends on published versions only, and on no workspace package by path", async () => {
    const { dependencies = {} } = await readManifest(folder);
    const released = /^[\^~]?\d+\.\d+\.\d+(-rc\.\d+)?$/;
    expect(Object.values(dependencies).filter((version) => !released.test(version))).toEqual([]);
  });
});

test("the worker of the packed client imports nothing, and has the licences of what it contains", async () => {
  const { files } = await analyse(tarballs.client);
  expect(files).toEqual(
    expect.arrayContaining(["dist/licenses/hash-wasm.txt", "dist/licenses/noble-hashes.txt"]),
  );
  const worker = `${react19}/node_modules/@stowage/client/dist/resume/md5-worker.js`;
  expect(await readFile(worker, "utf8")).not.toMatch(/^(import|export) |\bimport\(/m);
});

const analyses = new Map<string, ReturnType<typeof analyseTarball>>();

/** The analysis takes seconds, so the tests of a package share one. */
function analyse(tarball: string): ReturnType<typeof analyseTarball> {
  const analysis = analyses.get(tarball) ?? analyseTarball(tarball);
  analyses.set(tarball, analysis);
  return analysis;
}

async function analyseTarball(tarball: string) {
  const contents = createPackageFromTarballData(new Uint8Array(await readFile(tarball)));
  const prefix = `/node_modules/${contents.packageName}/`;
  const files = contents.listFiles().map((path) => path.slice(prefix.length));
  const names = files.flatMap((path) => /^dist\/(locales\/[\w-]+)\.js$/.exec(path)?.[1] ?? []);
  // The analysis does not find the modules of a pattern by itself.
  const analysis = await checkPackage(contents, { includeEntrypoints: names.map((name) => `./${name}`) });
  if (analysis.types === false) throw new Error(`${contents.packageName} has no types`);
  // The packages are ESM only, so require() and the resolution of Node 10 are not supported.
  const problems = analysis.problems.filter(
    (problem) =>
      !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind)) &&
      !("entrypoint" in problem && problem.entrypoint.endsWith(".css")),
  );
  return { files, entrypoints: Object.keys(analysis.entrypoints), problems };
}
