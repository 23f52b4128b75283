import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { isCollection, isPair, isScalar, parseDocument } from "yaml";
import { root } from "../src/root.js";

const DAY_MINUTES = 24 * 60;

let workspace: ReturnType<typeof parseDocument>;
beforeAll(async () => {
  workspace = parseDocument(await readFile(join(root, "pnpm-workspace.yaml"), "utf8"));
});

/** The entries of a map or a list of a YAML document that have no comment with a reason in their line. `false` needs none. */
function withoutReason(document: ReturnType<typeof parseDocument>, key: string): string[] {
  const setting = document.get(key);
  if (!isCollection(setting)) throw new Error(`${key} is missing`);
  return setting.items
    .map((item) => (isPair(item) ? { name: item.key, value: item.value } : { name: item, value: item }))
    .filter(({ value }) => isScalar(value) && value.value !== false && !value.comment?.trim())
    .map(({ name }) => String(name));
}

test("each package that may run install scripts has a reason", () => {
  expect(withoutReason(workspace, "allowBuilds")).toEqual([]);
});

test("each patched package has a reason", () => {
  expect(withoutReason(workspace, "patchedDependencies")).toEqual([]);
});

test("one more package without a reason is found", () => {
  const planted = parseDocument(
    "map:\n  good: true # compiles\n  off: false\n  planted: true\nlist:\n  - good@1 # a fix\n  - planted@1\n",
  );
  expect(withoutReason(planted, "map")).toEqual(["planted"]);
  expect(withoutReason(planted, "list")).toEqual(["planted@1"]);
});

test("no setting allows install scripts of every package", () => {
  expect(workspace.get("dangerouslyAllowAllBuilds")).toBeUndefined();
  expect(workspace.get("strictDepBuilds")).not.toBe(false);
});

test("dependencies are three days old and come from the registry", () => {
  expect(workspace.get("minimumReleaseAge")).toBe(3 * DAY_MINUTES);
  expect(workspace.get("blockExoticSubdeps")).toBe(true);
  const exceptions = workspace.has("minimumReleaseAgeExclude")
    ? withoutReason(workspace, "minimumReleaseAgeExclude")
    : [];
  expect(exceptions).toEqual([]);
});

test("the lockfile has a hash for every package, and no address", async () => {
  const lockfile = await readFile(join(root, "pnpm-lock.yaml"), "utf8");
  const resolutions = [...lockfile.matchAll(/^ +resolution: *(.*)$/gm)].map(([, resolution]) => resolution!);
  expect(resolutions.length).toBeGreaterThan(700);
  const unpinned = resolutions.filter((each) => !/^\{integrity: sha512-[A-Za-z0-9+/]{86}==\}$/.test(each));
  expect(unpinned).toEqual([]);
});
