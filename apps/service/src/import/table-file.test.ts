import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTable } from "./table-file.js";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stowage-table-"));
});
afterAll(() => rm(dir, { recursive: true }));

let files = 0;
const aPath = () => join(dir, `${files++}.ndjson`);
const file = (key: string) => ({ type: "file", key, source_etag: `etag of ${key}` });

test("a later run knows what an earlier one has done, and whether it reached its end", async () => {
  const path = aPath();
  const first = await openTable(path, "import");
  expect([first.done.size, first.isEnded, first.lastRun]).toEqual([0, true, null]);
  await first.append([{ type: "import", source: "s" }]);
  await first.append([file("a"), file("ü/\n b")]);
  expect(first.done.get("a")).toBe("etag of a");
  await first.close();

  const second = await openTable(path, "import");
  expect([...second.done.keys()]).toEqual(["a", "ü/\n b"]);
  expect([second.isEnded, second.lastRun]).toEqual([false, { type: "import", source: "s" }]);
  await second.append([{ type: "end" }]);
  await second.close();
  const third = await openTable(path, "import");
  expect([third.isEnded, third.done.size]).toEqual([true, 2]);
  await third.close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a line that was cut is removed, and the next one begins anew", async () => {
  const path = aPath();
  await writeFile(path, `${JSON.stringify(file("a"))}\n{"type":"file","key":"b`);
  const table = await openTable(path, "import");
  expect([...table.done.keys()]).toEqual(["a"]);
  await table.append([file("c")]);
  await table.close();
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).key)).toEqual(["a", "c"]);
});

test("reads lines that lie across its chunks", async () => {
  const path = aPath();
  const keys = Array.from({ length: 3000 }, (_, index) => `${"ü".repeat(40)}${index}`);
  const table = await openTable(path, "import");
  await table.append(keys.map(file));
  await table.close();
  const again = await openTable(path, "import");
  expect([...again.done.keys()]).toEqual(keys);
  await again.close();
});

test("a dry run neither creates nor changes the file", async () => {
  const path = aPath();
  const none = await openTable(path, "import", false);
  await none.close();
  await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  await appendFile(path, '{"type":"imp');
  await (await openTable(path, "import", false)).close();
  expect(await readFile(path, "utf8")).toBe('{"type":"imp');
});

test("a first line that was cut is removed too", async () => {
  const path = aPath();
  await writeFile(path, '{"type":"import","source":"s');
  const table = await openTable(path, "import");
  expect([table.done.size, table.lastRun]).toEqual([0, null]);
  await table.close();
  expect(await readFile(path, "utf8")).toBe("");
});

test.each([
  "no json\n",
  "a text without an end of the line",
  "[]\n",
  '{"type":"file","key":1}\n',
  '{"no":"type"}\n',
  '{"type":"export"}\n',
  '{"type":"export","proj',
])("refuses a file that is no table: %j", async (content) => {
  const path = aPath();
  await writeFile(path, content);
  await expect(openTable(path, "import")).rejects.toMatchObject({ code: "invalid_request" });
  expect(await readFile(path, "utf8")).toBe(content);
});

test("refuses what is no file", async () => {
  for (const path of [dir, "/dev/full", "/dev/null"])
    await expect(openTable(path, "import"), path).rejects.toMatchObject({ code: "invalid_request" });
});

test("says why a file cannot be opened", async () => {
  await expect(openTable(join(dir, "no", "such"), "import")).rejects.toThrow("ENOENT");
});
