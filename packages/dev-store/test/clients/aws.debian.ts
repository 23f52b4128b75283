import { join } from "node:path";
import { expect, test } from "vitest";
import { CREDENTIALS } from "../a-store.js";
import { aWorkspace, inByteOrder, NAMES, treeOf, type Workspace } from "./a-workspace.js";
import { isSameContent, writeLargeFile } from "./large-file.js";

/**
 * The AWS command line with its default settings. README.md shows the same files and the same option.
 *
 * @param region without one, every command asks for the metadata of an EC2 instance first and takes a second longer
 */
async function anAws({
  region,
  buckets = [],
}: {
  region?: string;
  buckets?: string[];
}): Promise<Workspace & { s3: (...args: string[]) => Promise<string> }> {
  const workspace = await aWorkspace(buckets);
  const credentials = [
    "[default]",
    `aws_access_key_id = ${CREDENTIALS.accessKeyId}`,
    `aws_secret_access_key = ${CREDENTIALS.secretAccessKey}`,
  ];
  await workspace.write(".aws/credentials", credentials.join("\n"));
  if (region) await workspace.write(".aws/config", `[default]\nregion = ${region}`);
  const { endpoint } = workspace.store;
  return { ...workspace, s3: (...args) => workspace.run("aws", "--endpoint-url", endpoint, "s3", ...args) };
}

const linesOf = (text: string): string[] => text.trim().split("\n");

test("makes, lists and removes buckets without a region", async () => {
  const { s3 } = await anAws({});
  await s3("mb", "s3://bucket-1");
  expect(await s3("ls")).toMatch(/^\S+ \S+ bucket-1\n$/);
  await s3("rb", "s3://bucket-1");
  expect(await s3("ls")).toBe("");
});

test("copies, lists and reads files with every kind of name", async () => {
  const { s3, writeTree, readTree, keys } = await anAws({ region: "us-east-1", buckets: ["bucket-1"] });
  const folder = await writeTree("files");
  await s3("cp", "--recursive", folder, "s3://bucket-1/a folder/");
  await s3("cp", join(folder, "a+b.txt"), "s3://bucket-1//leading slash.txt");
  expect(await keys("bucket-1")).toEqual(
    inByteOrder(["/leading slash.txt", ...NAMES.map((name) => `a folder/${name}`)]),
  );
  const listed = linesOf(await s3("ls", "--recursive", "s3://bucket-1/a folder/"));
  expect(listed.map((line) => line.replace(/^.* a folder\//, ""))).toEqual(inByteOrder(NAMES));
  await s3("cp", "--recursive", "s3://bucket-1/a folder/", "s3://bucket-1/copied/");
  await s3("cp", "--recursive", "s3://bucket-1/copied/", "back");
  expect(await readTree("back")).toEqual(treeOf(NAMES));
  expect(await s3("cp", "s3://bucket-1//leading slash.txt", "-")).toBe("a+b.txt");
});

test("syncs a folder, deletes what is gone, and deletes objects", async () => {
  const { s3, writeTree, keys } = await anAws({ region: "us-east-1", buckets: ["bucket-1"] });
  await s3("sync", await writeTree("old", ["a", "b", "c/d"]), "s3://bucket-1");
  expect(await keys("bucket-1")).toEqual(["a", "b", "c/d"]);
  await s3("sync", "--delete", await writeTree("new", ["b", "e"]), "s3://bucket-1");
  expect(await keys("bucket-1")).toEqual(["b", "e"]);
  await s3("rm", "s3://bucket-1/b");
  expect(await keys("bucket-1")).toEqual(["e"]);
  await s3("rb", "--force", "s3://bucket-1");
  expect(await s3("ls")).toBe("");
});

test("uploads 300 MB in parts, copies it in parts inside the store and gets it back", async () => {
  const { s3, home, store } = await anAws({ region: "us-east-1", buckets: ["bucket-1"] });
  await writeLargeFile(join(home, "large.bin"));
  await s3("cp", "large.bin", "s3://bucket-1/large.bin");
  await s3("cp", "s3://bucket-1/large.bin", "s3://bucket-1/copy.bin");
  await s3("cp", "s3://bucket-1/copy.bin", "back.bin");
  expect(await isSameContent(join(home, "large.bin"), join(home, "back.bin"))).toBe(true);
  expect(store.errors).toEqual([]);
});
