import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { settingNames } from "#settings/settings.js";
import * as paths from "#paths.js";
import { readText } from "./read-files.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const dockerfile = readText("Dockerfile");
const admitted = readText(".dockerignore")
  .split("\n")
  .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));

const manifests = new Map(
  (parse(readText("pnpm-workspace.yaml")) as { packages: string[] }).packages
    .flatMap((path) =>
      path.endsWith("/*")
        ? readdirSync(join(root, dirname(path))).map((name) => join(dirname(path), name))
        : [path],
    )
    .filter((dir) => existsSync(join(root, dir, "package.json")))
    .map((dir) => {
      const manifest = JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8")) as Manifest;
      return [manifest.name, { ...manifest, dir }];
    }),
);
interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** The folders of a workspace and of all workspaces that it needs. */
function workspacesOf(name: string, found = new Set<string>()): Set<string> {
  const { dir, dependencies, devDependencies } = manifests.get(name)!;
  if (found.has(dir)) return found;
  found.add(dir);
  for (const [needed, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    if (version.startsWith("workspace:")) workspacesOf(needed, found);
  }
  return found;
}

test("the build context has every workspace that the service, the dashboard and the documentation are built from", () => {
  const needed = ["@stowage/service", "@stowage/dashboard", "@stowage/docs"].flatMap((name) => [
    ...workspacesOf(name),
  ]);
  expect(needed.length).toBeGreaterThan(4);
  const isAdmitted = (dir: string) => admitted.includes(dir) || admitted.includes(dirname(dir));
  expect(needed.filter((dir) => !isAdmitted(dir))).toEqual([]);
});

test("the build context has only files that exist", () => {
  expect(admitted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("the image sets only settings that the service reads", () => {
  const [, variables = ""] = /^ENV (.+)$/m.exec(dockerfile)!;
  const names = variables.split(" ").map((pair) => pair.split("=")[0]);
  // Packages read these two: better-auth, and the S3 client.
  const [environment, home, ...others] = names;
  expect([environment, home]).toEqual(["NODE_ENV", "HOME"]);
  expect(settingNames).toEqual(expect.arrayContaining(others));
  expect(others).toEqual(["HOST", "PORT", "METRICS_HOST", "METRICS_PORT"]);
});

test("the image and the npm package have the files at the paths where the service looks for them", () => {
  const assembled = readText("scripts/assemble-service.mjs");
  expect(dockerfile).toContain("node scripts/assemble-service.mjs /out");
  // The built documentation has the Markdown too.
  const { compileCacheDir, docsDir: _, ...needed } = paths;
  expect(compileCacheDir).toContain("/dist/");
  for (const path of Object.values(needed)) {
    const [folder = ""] = /apps\/[a-z]+\/(dist|drizzle)|package\.json/.exec(path.slice(root.length)) ?? [];
    expect(assembled).toContain(folder);
  }
});
