import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CREDENTIALS } from "../a-store.js";
import { aWorkspace, inByteOrder, NAMES, treeOf, type Workspace } from "./a-workspace.js";
import { isSameContent, writeLargeFile } from "./large-file.js";

/** s3cmd with its default settings. README.md shows the same file. */
async function anS3cmd(
  ...buckets: string[]
): Promise<Workspace & { s3cmd: (...args: string[]) => Promise<string> }> {
  const workspace = await aWorkspace(buckets);
  const { host } = new URL(workspace.store.endpoint);
  const config = [
    "[default]",
    `access_key = ${CREDENTIALS.accessKeyId}`,
    `secret_key = ${CREDENTIALS.secretAccessKey}`,
    `host_base = ${host}`,
    `host_bucket = ${host}`,
    "use_https = False",
  ];
  await workspace.write(".s3cfg", config.join("\n"));
  return { ...workspace, s3cmd: (...args) => workspace.run("s3cmd", ...args) };
}

/** The last word of each line. */
const lastWords = (text: string): string[] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.replace(/^.* /, ""));

test("makes, lists and removes buckets", async () => {
  const { s3cmd } = await anS3cmd();
  await s3cmd("mb", "s3://bucket-1", "s3://bucket-2");
  expect(lastWords(await s3cmd("ls"))).toEqual(["s3://bucket-1", "s3://bucket-2"]);
  await s3cmd("rb", "s3://bucket-1");
  expect(lastWords(await s3cmd("ls"))).toEqual(["s3://bucket-2"]);
});

test("puts, lists, gets and copies files with every kind of name", async () => {
  const { s3cmd, home, writeTree, readTree, keys } = await anS3cmd("bucket-1");
  const folder = await writeTree("files");
  await s3cmd("put", "--recursive", `${folder}/`, "s3://bucket-1/a folder/");
  await s3cmd("put", join(folder, "a+b.txt"), "s3://bucket-1//leading slash.txt");
  expect(await keys("bucket-1")).toEqual(
    inByteOrder(["/leading slash.txt", ...NAMES.map((name) => `a folder/${name}`)]),
  );
  const listed = (await s3cmd("ls", "--recursive", "s3://bucket-1/a folder/")).trim().split("\n");
  expect(listed.map((line) => line.replace(/^.*s3:\/\/bucket-1\/a folder\//, ""))).toEqual(
    inByteOrder(NAMES),
  );
  await s3cmd("cp", "--recursive", "s3://bucket-1/a folder/", "s3://bucket-1/copied/");
  await mkdir(join(home, "back"));
  await s3cmd("get", "--recursive", "s3://bucket-1/copied/", "back/");
  expect(await readTree("back")).toEqual(treeOf(NAMES));
  expect(await s3cmd("get", "--quiet", "s3://bucket-1//leading slash.txt", "-")).toBe("a+b.txt");
});

test("syncs a folder, deletes what is gone, and deletes objects", async () => {
  const { s3cmd, writeTree, keys } = await anS3cmd("bucket-1");
  await s3cmd("sync", `${await writeTree("old", ["a", "b", "c/d"])}/`, "s3://bucket-1");
  expect(await keys("bucket-1")).toEqual(["a", "b", "c/d"]);
  await s3cmd("sync", "--delete-removed", `${await writeTree("new", ["b", "e", "f"])}/`, "s3://bucket-1");
  expect(await keys("bucket-1")).toEqual(["b", "e", "f"]);
  await s3cmd("del", "s3://bucket-1/b");
  expect(await keys("bucket-1")).toEqual(["e", "f"]);
  await s3cmd("rb", "--recursive", "--force", "s3://bucket-1");
  expect(await s3cmd("ls")).toBe("");
});

test("uploads 300 MB in parts, copies it inside the store and gets it back", async () => {
  const { s3cmd, home, store } = await anS3cmd("bucket-1");
  await writeLargeFile(join(home, "large.bin"));
  await s3cmd("put", "large.bin", "s3://bucket-1/large.bin");
  await s3cmd("cp", "s3://bucket-1/large.bin", "s3://bucket-1/copy.bin");
  await s3cmd("get", "s3://bucket-1/copy.bin", "back.bin");
  expect(await isSameContent(join(home, "large.bin"), join(home, "back.bin"))).toBe(true);
  expect(store.errors).toEqual([]);
});
