import { execFileSync } from "node:child_process";
import type { Code } from "mdast";
import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../src/content/links.js";
import { readPages } from "../src/content/read-pages.js";
import { kindOf, readText } from "../src/content/repository.js";

interface Block {
  source: string;
  language: string;
  code: string;
}

/** Blocks of the reference are the declarations and the examples of the sources. */
const blocks = readPages()
  .filter(({ source }) => source.endsWith(".md"))
  .flatMap(({ source, markdown }) => {
    const found: Block[] = [];
    visit(parseMarkdown(markdown), "code", ({ lang, value }: Code) => {
      found.push({ source, language: lang ?? "", code: value });
    });
    return found;
  });
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

/** Code that a test reads from the page and runs, by page and language. */
const RUN_BY: Record<string, string> = {
  "docs/clients.md python": "apps/service/test/docs/clients.debian.ts",
  "docs/containers.md yaml": "apps/service/test/containers/helm.debian.ts",
  "docs/webhooks.md python": "apps/service/test/docs/webhooks.debian.ts",
  "docs/database.md sql": "apps/service/test/database/roles.slow.test.ts",
  "docs/client.md html": "e2e/element/client-guide.slow.test.ts",
};

/** Pages whose blocks are files that `pnpm lab` runs, and the test that compares them. */
const COMPARED_BY: Record<string, string> = {
  "docs/put.md": "tooling/as-published/test/docs/put-page.test.ts",
};

/** Code that no test runs, and the reason. */
const ONLY_SHOWN: Record<string, string> = {
  "docs/element.md css": "shows how two kinds of selectors are written",
  "docs/widget.md css": "shows how two variables are set",
  "docs/webhooks.md http": "a request as it arrives",
  "docs/backup.md sql": "a query about a table of your own app",
  "docs/keys.md sql": "one statement, with a role of docs/database.md",
  "docs/scale-out.md sql": "statements with addresses of a cluster of your own",
  "docs/replication.md yaml": "a part of Patroni's file, with addresses of your own",
  "docs/metrics.md yaml": "a part of Prometheus' file for a cluster",
  "packages/dev-store/README.md ini": "rclone's file; its test passes the same settings in the environment",
  "docs/guides/sveltekit.md svelte": "the component of lab/frameworks/apps/svelte, shorter",
  "docs/guides/vue-and-html.md html": "the page of packages/element/README.md",
  "packages/element/README.md html": "a page that loads the element",
};

/** Parts of files that are in `deploy/`. Their first line names the file. */
const deployed = blocks.flatMap((block) => {
  const [, path] = /^[#;]+ (deploy\/[\w./-]+)/.exec(block.code) ?? [];
  return path === undefined ? [] : [{ ...block, path }];
});

test("every block of code is compiled, run, checked or known as only shown", () => {
  const checked = new Set(["ts", "tsx", "json", "sh"]);
  const isKnown = ({ source, language, code }: Block) =>
    checked.has(language) ||
    source in COMPARED_BY ||
    deployed.some((each) => each.code === code) ||
    `${source} ${language}` in RUN_BY ||
    `${source} ${language}` in ONLY_SHOWN;
  // Without a language: output of programs, and drawings.
  const unknown = blocks.filter((block) => !["", "text"].includes(block.language) && !isKnown(block));
  expect(unknown.map(({ source, language }) => `${source} ${language}`)).toEqual([]);
  const used = new Set(blocks.map(({ source, language }) => `${source} ${language}`));
  expect(Object.keys({ ...RUN_BY, ...ONLY_SHOWN }).filter((key) => !used.has(key))).toEqual([]);
});

test("the tests that run the code of a page read it from there", () => {
  for (const [key, file] of Object.entries({ ...RUN_BY, ...COMPARED_BY })) {
    const page = /([\w-]+\.md)( |$)/.exec(key)?.[1] ?? "";
    expect(readText(file)).toContain(page);
  }
});

test.each(deployed.map(({ source, path, code }) => [source, path, code]))(
  "%s shows lines of %s",
  (_source, path, code) => {
    expect(kindOf(path)).toBe("file");
    const lines = new Set(readText(path).split("\n").map(withoutComment));
    const shown = code.split("\n").slice(1).map(withoutComment);
    expect(shown.filter((line) => !line.includes("…") && !lines.has(line))).toEqual([]);
  },
);

const withoutComment = (line: string): string => line.replace(/(^|\s)[#;].*$/, "").trim();

describe("JSON", () => {
  test.each(inLanguage("json").map(({ source, code }) => [source, code]))(
    "of %s can be parsed",
    (_source, code) => {
      // An export is one value on each line.
      const values = code.startsWith('{"') && code.includes("}\n{") ? code.split("\n") : [code];
      for (const value of values) expect(() => JSON.parse(value) as unknown).not.toThrow();
    },
  );
});

describe("shell", () => {
  const commands = inLanguage("sh");

  test("commands have the syntax of bash", () => {
    // One process for all of them: each is the body of a function.
    const script = commands.map(({ code }, index) => `block_${index}() {\n:\n${code}\n}`).join("\n");
    expect(commands.length).toBeGreaterThan(80);
    execFileSync("bash", ["-n"], { input: script, stdio: ["pipe", "pipe", "pipe"] });
  });

  test("commands name scripts that this repository has", () => {
    const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };
    const ofPnpm =
      /^(install|exec|dlx|create|add|audit|licenses|store|--filter.*|changeset|turbo|vitest|prettier)$/;
    const named = commands.flatMap(({ source, code }) =>
      [...code.matchAll(/npx pnpm ([\w:.-]+)/g)].map(([, name = ""]) => ({ source, name })),
    );
    expect(named.length).toBeGreaterThan(10);
    const missing = named.filter(({ name }) => !(name in scripts) && !ofPnpm.test(name));
    expect(missing).toEqual([]);
  });
});
