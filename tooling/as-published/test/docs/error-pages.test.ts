import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { renderErrorPages } from "./render-error-pages.js";

const FOLDER = fileURLToPath(new URL("../../../../docs/errors", import.meta.url));

const pages = [...renderErrorPages()];

test.each(pages)(
  "docs/errors/%s is up to date (`pnpm --filter @stowage/as-published run error-pages` writes it)",
  async (name, text) => {
    await expect(text).toMatchFileSnapshot(join(FOLDER, name));
  },
);

test("docs/errors has no page of a code that does not exist", async () => {
  const names = pages.map(([name]) => name);
  expect(await readdir(FOLDER)).toEqual(names.toSorted());
});
