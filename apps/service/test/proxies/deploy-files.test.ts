import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");

const pages = readdirSync(new URL("docs", ROOT)).filter((name) => name.endsWith(".md"));
const blocks = pages.flatMap((page) =>
  [...read(`docs/${page}`).matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language, text]) => ({
    page,
    language: language!,
    text: text!,
    file: /^[#;] (deploy\/\S+?)(?=[:\s])/.exec(text!)?.[1],
  })),
);
const folders =
  "apache caddy h2o haproxy lighttpd nginx patroni pgbackrest pgbouncer squid storage trafficserver varnish".split(
    " ",
  );
const files = folders.flatMap((folder) =>
  readdirSync(new URL(`deploy/${folder}`, ROOT)).map((name) => `deploy/${folder}/${name}`),
);

describe.each(blocks.filter(({ file }) => file !== undefined))("$page", ({ file, text }) => {
  test(`shows ${file} as it is run by the tests`, () => {
    expect(text).toBe(read(file!));
  });
});

test("every configuration of another program in the docs is a file of deploy/", () => {
  const configurations = blocks.filter(({ language }) => ["nginx", "haproxy", "ini"].includes(language));
  expect(configurations.length).toBeGreaterThan(2);
  expect(configurations.filter(({ file }) => file === undefined)).toEqual([]);
});

test("the docs link every file of deploy/", () => {
  const text = pages.map((page) => read(`docs/${page}`)).join("\n");
  expect(files.filter((file) => !text.includes(file))).toEqual([]);
});
