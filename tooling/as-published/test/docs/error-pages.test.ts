import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { codes, renderIndex, renderPage } from "./render-error-pages.js";

const FOLDER = fileURLToPath(new URL("../../../../docs/errors", import.meta.url));

test.each(codes)(
  "docs/errors/%s.md explains the code, and is up to date (`pnpm --filter @stowage/as-published run error-pages` writes it)",
  async (code) => {
    const path = join(FOLDER, `${code}.md`);
    await expect(renderPage(code, await readFile(path, "utf8"))).toMatchFileSnapshot(path);
  },
);

test("docs/errors/README.md is up to date", async () => {
  await expect(renderIndex()).toMatchFileSnapshot(join(FOLDER, "README.md"));
});

test("docs/errors has no page of a code that does not exist", async () => {
  const names = codes.map((code) => `${code}.md`);
  expect(await readdir(FOLDER)).toEqual(["README.md", ...names].toSorted());
});
