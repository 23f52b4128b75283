import { join } from "node:path";
import { expect, test } from "vitest";
import { CREDENTIALS } from "../a-store.js";
import { aWorkspace, inByteOrder, NAMES, treeOf, type Workspace } from "./a-workspace.js";
import { isSameContent, writeLargeFile } from "./large-file.js";

/** rclone with its default settings. README.md shows the same file. */
async function anRclone(
  ...buckets: string[]
): Promise<Workspace & { rclone: (...args: string[]) => Promise<string> }> {
  const workspace = await aWorkspace(buckets);
  const config = [
    "[store]",
    "type = s3",
    "provider = Other",
    `endpoint = ${workspace.store.endpoint}`,
    `access_key_id = ${CREDENTIALS.accessKeyId}`,
    `secret_access_key = ${CREDENTIALS.secretAccessKey}`,
  ];
  await workspace.write(".config/rclone/rclone.conf", config.join("\n"));
  return { ...workspace, rclone: (...args) => workspace.run("rclone", ...args) };
}

test("makes, lists and removes buckets", async () => {
  const { rclone } = await anRclone();
  await rclone("mkdir", "store:bucket-1");
  await rclone("mkdir", "store:bucket-2");
  expect(await rclone("lsf", "store:")).toBe("bucket-1/\nbucket-2/\n");
  await rclone("rmdir", "store:bucket-1");
  expect(await rclone("lsf", "store:")).toBe("bucket-2/\n");
});

test("copies, lists and reads files with every kind of name", async () => {
  const { rclone, writeTree, readTree, keys } = await anRclone("bucket-1");
  const folder = await writeTree("files");
  await rclone("copy", folder, "store:bucket-1/a folder");
  expect(await keys("bucket-1")).toEqual(inByteOrder(NAMES.map((name) => `a folder/${name}`)));
  const listed = await rclone("lsf", "--recursive", "--files-only", "store:bucket-1/a folder");
  expect(listed.trim().split("\n").sort()).toEqual(NAMES.toSorted());
  await rclone("check", folder, "store:bucket-1/a folder");
  await rclone("copy", "store:bucket-1/a folder", "back");
  expect(await readTree("back")).toEqual(treeOf(NAMES));
  await rclone("copy", "store:bucket-1/a folder", "store:bucket-1/copied");
  await rclone("check", folder, "store:bucket-1/copied");
});

test("syncs a folder, deletes what is gone, and purges the bucket", async () => {
  const { rclone, writeTree, keys } = await anRclone("bucket-1");
  await rclone("sync", await writeTree("old", ["a", "b", "c/d"]), "store:bucket-1");
  expect(await keys("bucket-1")).toEqual(["a", "b", "c/d"]);
  await rclone("sync", await writeTree("new", ["b", "e"]), "store:bucket-1");
  expect(await keys("bucket-1")).toEqual(["b", "e"]);
  await rclone("deletefile", "store:bucket-1/b");
  expect(await keys("bucket-1")).toEqual(["e"]);
  await rclone("purge", "store:bucket-1");
  expect(await rclone("lsf", "store:")).toBe("");
});

test("uploads 300 MB in parts, copies it inside the store and gets it back", async () => {
  const { rclone, home, store } = await anRclone("bucket-1");
  await writeLargeFile(join(home, "large.bin"));
  await rclone("copyto", "large.bin", "store:bucket-1/large.bin");
  await rclone("copyto", "store:bucket-1/large.bin", "store:bucket-1/copy.bin");
  await rclone("copyto", "store:bucket-1/copy.bin", "back.bin");
  expect(await isSameContent(join(home, "large.bin"), join(home, "back.bin"))).toBe(true);
  expect(store.errors).toEqual([]);
});
