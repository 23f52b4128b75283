import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings, variables } from "./settings.js";

const LEAST = {
  DEV_STORE_DIR: "data",
  DEV_STORE_ACCESS_KEY_ID: "dev",
  DEV_STORE_SECRET_ACCESS_KEY: "a secret",
};

test("requires a folder and a key, and has defaults for the rest", () => {
  expect(readSettings(LEAST)).toEqual({
    dir: "data",
    host: "127.0.0.1",
    port: 0,
    accessKeyId: "dev",
    secretAccessKey: "a secret",
    region: "us-east-1",
    buckets: [],
    publicBuckets: [],
    notify: undefined,
  });
  expect(
    readSettings({ ...LEAST, DEV_STORE_BUCKETS: " one, two-2 ,", DEV_STORE_PORT: "4001" }),
  ).toMatchObject({
    buckets: ["one", "two-2"],
    port: 4001,
  });
});

test("reads the public buckets", () => {
  const settings = readSettings({
    ...LEAST,
    DEV_STORE_BUCKETS: "one",
    DEV_STORE_PUBLIC_BUCKETS: "two, three",
  });
  expect(settings).toMatchObject({ buckets: ["one"], publicBuckets: ["two", "three"] });
});

test("reads the receiver of events", () => {
  const env = {
    ...LEAST,
    DEV_STORE_NOTIFY_URL: "http://127.0.0.1:4000/events",
    DEV_STORE_NOTIFY_SECRET: "s",
  };
  expect(readSettings(env).notify).toEqual({ url: "http://127.0.0.1:4000/events", secret: "s" });
});

test.each([
  ["DEV_STORE_DIR", ""],
  ["DEV_STORE_ACCESS_KEY_ID", " "],
  ["DEV_STORE_ACCESS_KEY_ID", "with/slash"],
  ["DEV_STORE_SECRET_ACCESS_KEY", undefined],
  ["DEV_STORE_PORT", "http"],
  ["DEV_STORE_PORT", "65536"],
  ["DEV_STORE_BUCKETS", "ok-bucket,Not OK"],
  ["DEV_STORE_PUBLIC_BUCKETS", "Not OK"],
  ["DEV_STORE_NOTIFY_URL", "127.0.0.1:4000"],
  ["DEV_STORE_NOTIFY_URL", "http://events:secret@127.0.0.1:4000/"],
])("says in one sentence that %s is wrong", (name, value) => {
  expect(() => readSettings({ ...LEAST, [name]: value })).toThrow(new RegExp(`^${name} [^\\n]*\\.$`));
});

test("the table in README.md has each variable with its default and meaning", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const rows = readme.split("\n").filter((line) => line.startsWith("| `DEV_STORE_"));
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  const described = Object.entries(variables).map(([name, { default: value, meaning }]) => [
    "",
    `\`${name}\``,
    value,
    meaning,
    "",
  ]);
  expect(cells).toEqual(described);
});
