import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settingGroups, settingNames } from "@stowage/service/settings";
import { expect, test } from "vitest";
import { renderSettingsPage } from "../src/render-settings-page.js";
import { root } from "../src/root.js";

const readme = readFileSync(join(root, "packages/dev-store/README.md"), "utf8");
const [devStoreTable = ""] = /^\| variable [^]*?(?=\n\n)/m.exec(readme) ?? [];

test("docs/settings.md is up to date (`pnpm --filter @stowage/documents run settings-page` writes it)", async () => {
  const page = renderSettingsPage(devStoreTable);
  expect(page).not.toMatch(/\bundefined\b|\[object/);
  await expect(page).toMatchFileSnapshot(join(root, "docs/settings.md"));
});

test("each setting of the service is in one group", () => {
  const grouped = Object.values(settingGroups).flatMap((group) => Object.keys(group));
  expect(grouped.toSorted()).toEqual(settingNames.toSorted());
});
