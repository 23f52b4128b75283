import { describe, expect, test } from "vitest";
import { findFalseClaims } from "../src/find-false-claims.js";
import { readRepository, type Repository } from "../src/repository.js";

const repository = readRepository();

test("documents name only settings, folders, commands, files and decisions that exist", () => {
  expect(repository.documents.size).toBeGreaterThan(150);
  expect(findFalseClaims(repository)).toEqual([]);
});

describe("finds", () => {
  /** The repository with one more sentence in a document. */
  const saying = (document: string, text: string): Repository => ({
    ...repository,
    documents: new Map([
      ...repository.documents,
      [document, `${repository.documents.get(document)}\n\n${text}\n`],
    ]),
  });
  const rewriting = (document: string, before: string, after: string): Repository => {
    const text = repository.documents.get(document)!;
    expect(text).toContain(before);
    return {
      ...repository,
      documents: new Map([...repository.documents, [document, text.replace(before, after)]]),
    };
  };
  const adding = (path: string): Repository => ({ ...repository, files: [...repository.files, path] });
  const removing = (path: string): Repository => ({
    ...repository,
    files: repository.files.filter((file) => !file.startsWith(path)),
    documents: new Map([...repository.documents].filter(([document]) => !document.startsWith(path))),
  });
  const without = (kind: "scripts" | "packageScripts" | "labs" | "commands" | "settings", name: string) => {
    expect([...repository[kind]]).toContain(name);
    const constants = new Set([...repository.constants].filter((each) => each !== name));
    return {
      ...repository,
      constants,
      [kind]: new Set([...repository[kind]].filter((each) => each !== name)),
    };
  };
  const row = (text: string): RegExp => new RegExp(`\\n\\| [^\\n]*${text}[^\\n]*`);
  const withoutRow = (document: string, pattern: RegExp) =>
    rewriting(document, pattern.exec(repository.documents.get(document)!)![0], "");

  test.each<[fault: string, planted: Repository, problem: RegExp]>([
    [
      "a setting that nothing reads",
      saying("docs/database.md", "Set `DATABASE_POOL_LIMIT`."),
      /names DATABASE_POOL_LIMIT/,
    ],
    [
      "it in a command",
      saying("docs/database.md", "```sh\nS3_BUCKETS=a stowage serve\n```"),
      /names S3_BUCKETS/,
    ],
    [
      "settings with a beginning that none has",
      saying("docs/cdn.md", "Set `CDN_AKAMAI_…`."),
      /names CDN_AKAMAI_/,
    ],
    ["a setting that was removed", without("settings", "SWEEP_INTERVAL_MS"), /SWEEP_INTERVAL_MS/],
    [
      "a room without a row",
      adding("apps/service/src/invoices/pay.ts"),
      /no row for apps\/service\/src\/invoices/,
    ],
    ["a package without a row", adding("packages/vue/package.json"), /no row for packages\/vue/],
    ["a tool without a row", adding("tooling/spelling/package.json"), /no row for tooling\/spelling/],
    ["a folder at the top without a row", adding("charts/README.txt"), /no row for charts/],
    ["a row without its folder", removing("apps/service/src/cdn/"), /has a row apps\/service\/src\/cdn/],
    [
      "a folder of a package that its row forgets",
      adding("packages/client/src/cache/c.ts"),
      /does not name cache/,
    ],
    [
      "a folder of a package that is gone",
      removing("packages/server/src/core/"),
      /names core\/ in packages\/server\/src\//,
    ],
    ["a script that does not exist", saying("CONTRIBUTING.md", "Run `npx pnpm tidy`."), /pnpm tidy/],
    ["a script that was removed", without("scripts", "version-packages"), /pnpm version-packages/],
    [
      "a script of a package",
      saying("CONTRIBUTING.md", "`pnpm --filter @stowage/docs run serve`"),
      /pnpm serve/,
    ],
    ["a script of npm", saying("README.md", "```sh\nnpm run stop\n```"), /npm run stop/],
    [
      "a laboratory that does not exist",
      saying("ARCHITECTURE.md", "`npx pnpm lab earthquake`"),
      /laboratory earthquake/,
    ],
    ["a laboratory that was removed", without("labs", "runtimes"), /laboratory runtimes/],
    ["a command that does not exist", saying("docs/cli.md", "`stowage explode`"), /stowage explode/],
    ["it after another", saying("docs/cli.md", "```sh\ncd a && npx stowage explode\n```"), /stowage explode/],
    [
      "a subcommand that does not exist",
      saying("README.md", "`stowage project delete`"),
      /stowage project delete/,
    ],
    ["a command that was removed", without("commands", "webhook rotate"), /stowage webhook rotate/],
    [
      "a command that no document names",
      { ...repository, commands: new Set([...repository.commands, "project rename"]) },
      /names stowage project rename/,
    ],
    [
      "a script that no document names",
      { ...repository, scripts: new Set([...repository.scripts, "tidy"]) },
      /names the script tidy/,
    ],
    [
      "a file that does not exist",
      saying("docs/storage.md", "See `apps/service/src/gone.ts`."),
      /names apps\/service\/src\/gone\.ts/,
    ],
    [
      "it in a command",
      saying("docs/storage.md", "```sh\nnode scripts/gone.mjs\n```"),
      /names scripts\/gone\.mjs/,
    ],
    [
      "a file by the end of its path",
      saying("docs/decisions/0054-one-queue.md", "`work/gone.ts`"),
      /names work\/gone\.ts/,
    ],
    [
      "a test by its name",
      saying("lab/bench/notes.md", "`gone.slow.test.ts` shows it."),
      /names gone\.slow\.test\.ts/,
    ],
    [
      "a test by the beginning of its path",
      saying("README.md", "service `test/http/gone`"),
      /names test\/http\/gone/,
    ],
    ["a file in braces", saying("README.md", "`docs/{api,gone}.md`"), /names docs\/gone\.md/],
    [
      "a pattern that matches nothing",
      saying("README.md", "`packages/*/GONE.md`"),
      /names packages\/\*\/GONE\.md/,
    ],
    [
      "a placeholder in a folder that does not exist",
      saying("README.md", "`packages/gone/NAME.ts`"),
      /names packages\/gone\/NAME/,
    ],
    [
      "a file that was removed",
      removing("apps/service/src/db/schema/conditions.ts"),
      /CONTRIBUTING.md:\d+ names .*conditions\.ts/,
    ],
    ["a link to nothing", saying("README.md", "[more](docs/gone.md)"), /names docs\/gone\.md/],
    [
      "a number without a decision",
      saying("ARCHITECTURE.md", "Decision 0099 says why."),
      /the decision 0099/,
    ],
    [
      "a link with another number",
      saying("README.md", "[0021](docs/decisions/0022-admission-by-a-function.md)"),
      /calls the decision 0022 0021/,
    ],
    [
      "a decision that was removed",
      removing("docs/decisions/0053-one-place-for-a-rule.md"),
      /the decision 0053/,
    ],
    [
      "a decision that the index forgets",
      withoutRow("docs/decisions/README.md", row("0047-the-element")),
      /does not list 0047/,
    ],
    ["a number that nobody explains", adding("docs/decisions/0999-later.md"), /why there is no 0998/],
    [
      "a long decision",
      saying("docs/decisions/0021-fair-between-projects.md", "More.\n".repeat(30)),
      /0021-.*more than 40 lines/,
    ],
    [
      "rows out of order",
      rewriting(
        "docs/decisions/README.md",
        "| [0002](0002-local-app.md)",
        "| [0003](0003-what-the-answer-lists-and-signs.md)",
      ),
      /0003 out of order/,
    ],
  ])("%s", (_fault, planted, problem) => {
    expect(findFalseClaims(planted).join("\n")).toMatch(problem);
  });
});
