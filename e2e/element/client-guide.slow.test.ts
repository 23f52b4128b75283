import { beforeAll, expect, test } from "vitest";
import { axeViolations } from "../fixtures/axe.js";
import { buildGuidePage } from "../fixtures/build-guide-page.js";
import { aPageHarness } from "../widget/fixtures/a-page-harness.js";

const harness = aPageHarness();
let pageDir: string;
beforeAll(async () => void (pageDir = await buildGuidePage("client.md", ["index.html", "main.ts"])));

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
