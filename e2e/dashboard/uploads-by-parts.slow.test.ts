import type { Page } from "playwright-core";
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const MB = 1_000_000;
const HOUR = 3_600_000;

/** Sets what is known about stored parts, as a sweep does that finds them in storage. */
async function setStoredParts(path: string, stored: { parts: number; bytes: number }): Promise<void> {
  const sql = postgres(inject("stowage").databaseUrl, { max: 1 });
  try {
    await sql`
      update files set multipart = multipart || jsonb_build_object('partsStored', ${stored.parts}::int,
        'bytesStored', ${stored.bytes}::bigint) where path = ${path}`;
  } finally {
    await sql.end();
  }
}

const rowOf = (page: Page, filename: string) => page.locator("tbody tr").filter({ hasText: filename });

test("an open upload by parts shows its stored parts and when it ends, on each page, and can be discarded", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const uploads = uploadsTo(dashboard.url, project);
  await uploads.store({ filename: "notes.txt", bytes: "hello" });
  const path = await uploads.open({ filename: "film.mp4", size: 96 * MB, part_size: 8 * MB });
  await setStoredParts(path, { parts: 4, bytes: 31 * MB });
  const { page } = owner;
  await page.clock.install();
  await page.goto(`/projects/${project.ref}`);
  const film = rowOf(page, "film.mp4");
  await film.getByText("4 of 12 parts, 31 MB of 96 MB").last().waitFor();
  await page.getByText("96 MB reserved for open uploads").waitFor();
  // The feed is live: nothing is reloaded.
  await setStoredParts(path, { parts: 5, bytes: 40 * MB });
  await film.getByText("5 of 12 parts, 40 MB of 96 MB").last().waitFor();

  await page.goto(`/projects/${project.ref}/tenants/user_1`);
  await film.getByText("5 of 12 parts, 40 MB of 96 MB").last().waitFor();

  await page.goto(`/projects/${project.ref}/files`);
  await film.getByText("by parts, ends in 7 days").last().waitFor();
  const bar = film.getByRole("progressbar", { name: "Stored parts of film.mp4" }).last();
  expect(Number(await bar.getAttribute("aria-valuenow"))).toBeCloseTo((40 / 96) * 100);
  await setStoredParts(path, { parts: 6, bytes: 48 * MB });
  await page.clock.fastForward(15_000);
  await film.getByText("6 of 12 parts, 48 MB of 96 MB").last().waitFor();
  await expectAccessible(page, "parts-list");

  await film.getByRole("link", { name: "film.mp4" }).click();
  const details = page.getByRole("region", { name: "Details" });
  await details.getByText("By parts: 12 parts of up to 8 MB").waitFor();
  await details.getByText("6 of 12 parts, 48 MB of 96 MB").waitFor();
  await details
    .getByRole("row", { name: /^Upload ends/ })
    .getByText("in 7 days", { exact: false })
    .waitFor();
  await expectAccessible(page, "parts-file");
  await page.clock.fastForward(169 * HOUR);
  await details.getByRole("row", { name: /^Upload ended/ }).waitFor();
  await details.getByText("Some parts did not arrive before the upload ended", { exact: false }).waitFor();
  await page.goBack();
  await film.getByText("by parts, ended 1 hour ago, holds 96 MB").last().waitFor();

  await page.getByRole("checkbox", { name: "Select film.mp4" }).check();
  await page.getByRole("button", { name: "Discard 1 upload" }).click();
  const dialog = page.getByRole("dialog", { name: "Discard 1 upload?" });
  await dialog.getByText("Parts that are stored already (48 MB) are removed.", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Discard 1 upload" }).click();
  await page.getByText("1 upload was discarded.").waitFor();
});
