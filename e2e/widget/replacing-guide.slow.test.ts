import type { Stowage } from "@stowage/server";
import { createStowageClient } from "@stowage/server/client";
import sharp from "sharp";
import { beforeAll, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { buildGuidePage, importExample, reactPage } from "../fixtures/build-guide-page.js";
import { aPageHarness } from "./fixtures/a-page-harness.js";

const GUIDE = "replacing.md";
const PAGE = reactPage('import { Profile } from "./profile.js";', '<Profile name="Ada" />');
/** The user of the guide. */
const tenantId = "user_42";

const harness = aPageHarness();
let pageDir: string;
beforeAll(async () => void (pageDir = await buildGuidePage(GUIDE, ["profile.tsx"], PAGE)));

/** @param edge of the square, in pixels, which tells the pictures apart */
const aPicture = async (edge: number) =>
  harness.file(
    `${edge}.png`,
    await sharp({ create: { width: edge, height: edge, channels: 3, background: "teal" } })
      .png()
      .toBuffer(),
  );

test("a user whose quota is full replaces the avatar, also after a page that was closed before its upload ended", async () => {
  const { apiKey } = await aProject();
  const client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
  const { stowage } = await importExample<{ stowage: Stowage }>(GUIDE, "stowage.ts", apiKey);
  const { page, app, consoleErrors } = await harness.openPage({ pageDir, helper: stowage });
  const choose = async (edge: number) => page.locator("input[type=file]").setInputFiles(await aPicture(edge));
  const stored = async () => {
    const files = [];
    for await (const { filename } of client.files({ tenantId, status: "stored" })) files.push(filename);
    return files;
  };
  const hasStored = (edge: number) => expect.poll(stored, { timeout: 60_000 }).toEqual([`${edge}.png`]);
  const shows = (edge: number) =>
    expect
      .poll(() =>
        page.getByRole("img", { name: "Ada" }).evaluate((img) => (img as HTMLImageElement).naturalWidth),
      )
      .toBe(edge);

  await choose(64);
  await hasStored(64);
  const { usedBytes } = await client.usage(tenantId);
  await client.setLimits(tenantId, { quotaBytes: usedBytes });

  await choose(63);
  await hasStored(63);
  await shows(63);
  await page.reload();
  await shows(63);

  app.hold("complete");
  await choose(62);
  await hasStored(62);
  await page.goto("about:blank");
  app.release("complete");
  await page.goto(app.url);
  await shows(62);
  await choose(61);
  await hasStored(61);
  expect((await client.usage(tenantId)).usedBytes).toBeLessThanOrEqual(usedBytes);
  expect(await page.getByText("62.png").count()).toBe(0);
  // The page that was opened again tries to give up what the closed one had not completed, and learns that it is stored.
  expect(consoleErrors).toEqual([expect.stringMatching(/the server responded with a status of 409/)]);
});
