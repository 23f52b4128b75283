import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { beforeAll, expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { aPageHarness } from "../widget/fixtures/a-page-harness.js";

const GUIDE = new URL("../../docs/client.md", import.meta.url);

const harness = aPageHarness();
let pageDir: string;
beforeAll(async () => {
  // Inside the checkout, where the imports of the example are found. Git ignores the folder.
  const root = join(import.meta.dirname, "../test-results/client-guide");
  pageDir = join(root, "dist");
  await writePage(root);
  await build({
    configFile: false,
    root,
    logLevel: "error",
    resolve: { conditions: ["source", "browser", "module", "import", "default"] },
    build: { outDir: pageDir, emptyOutDir: true },
  });
});

/** Writes the two examples of the section "Start" as they are in the guide. */
async function writePage(root: string): Promise<void> {
  const guide = await readFile(GUIDE, "utf8");
  await mkdir(root, { recursive: true });
  for (const [name, language] of [
    ["index.html", "html"],
    ["main.ts", "ts"],
  ] as const) {
    const block = new RegExp(`^\`\`\`${language}\\n((?:// |<!-- )${name}[^]*?)^\`\`\`$`, "m").exec(guide);
    if (!block) throw new Error(`docs/client.md has no example that begins with ${name}`);
    await writeFile(join(root, name), block[1]!);
  }
}

test("the page of docs/client.md uploads, shows progress and failures, and cancels", async () => {
  const { page, storage, user, consoleErrors } = await harness.openPage({ pageDir });
  const choose = async (name: string, bytes: string | Uint8Array) =>
    page.getByLabel("Choose files").setInputFiles(await harness.file(name, bytes));
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });

  await choose("notes.txt", "hello");
  await row("notes.txt").getByText("notes.txt: done").waitFor();
  await page.getByText("1 of 1 uploaded").waitFor();

  storage.hold();
  await choose("held.txt", "held");
  await row("held.txt")
    .getByText(/held\.txt: \d+ %/)
    .waitFor();
  await page.getByRole("button", { name: "Cancel held.txt" }).focus();
  await page.keyboard.press("Enter");
  // The button stays the same element, so it keeps the focus.
  const remove = page.getByRole("button", { name: "Remove held.txt" });
  await expect.poll(() => remove.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await row("held.txt").waitFor({ state: "detached" });
  storage.release();

  await choose("large.bin", new Uint8Array(20_000_001));
  await row("large.bin").getByText("larger than", { exact: false }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeViolations(page, "colours")).toEqual([]);
  const stored = await harness.backend.filesOf(user);
  expect(stored.filter(({ status }) => status === "stored")).toMatchObject([{ filename: "notes.txt" }]);
  expect(consoleErrors).toEqual([]);
});
