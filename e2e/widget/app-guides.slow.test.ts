import type { Stowage } from "@stowage/server";
import { createStowageClient, type StowageClient } from "@stowage/server/client";
import sharp from "sharp";
import { expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { buildGuidePage, importExample, reactPage } from "../fixtures/build-guide-page.js";
import { runCommands } from "../fixtures/run-guide.js";
import { aPageHarness } from "./fixtures/a-page-harness.js";

/* The guides that are a whole app: their server code knows its user, and their page is theirs. */

/** The user of the guides. */
const tenantId = "user_42";
const harness = aPageHarness();

/** An app as its guide writes it, in a project of its own. `prepare` does what else the guide says. */
async function anApp<Server>(
  guide: string,
  { examples, page }: { examples: string[]; page: Record<string, string> },
  prepare: (ref: string) => Promise<unknown> = async () => {},
) {
  const { ref, apiKey } = await aProject();
  await prepare(ref);
  const pageDir = await buildGuidePage(guide, examples, page);
  const server = await importExample<Server & { stowage: Stowage }>(guide, "stowage.ts", apiKey);
  const opened = await harness.openPage({ pageDir, helper: server.stowage });
  const client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
  const choose = (path: string) => opened.page.locator("input[type=file]").setInputFiles(path);
  return { ...opened, server, client, choose };
}

async function storedIn(client: StowageClient): Promise<{ filename: string; filePath: string }[]> {
  const files = [];
  for await (const file of client.files({ tenantId, status: "stored" })) files.push(file);
  return files;
}

const bytesAt = async (url: string) => {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  return response.ok ? Buffer.from(await response.arrayBuffer()) : response.status;
};

const aPicture = (edge: number) =>
  sharp({ create: { width: edge, height: edge, channels: 3, background: "teal" } })
    .png()
    .toBuffer();

test("the app of docs/guides/avatars.md shows the picture of its user, and one that replaces it", async () => {
  const guide = "guides/avatars.md";
  const page = reactPage('import { Profile } from "./profile.js";', '<Profile name="Ada" />');
  const app = await anApp<{ pictureOf(tenantId: string): Promise<string | undefined> }>(
    guide,
    { examples: ["profile.tsx"], page },
    async (ref) =>
      runCommands({
        guide,
        command: "preset set",
        variables: { PROJECT: ref },
        folder: await harness.folder(),
      }),
  );
  expect(await app.server.pictureOf(tenantId)).toBeUndefined();
  for (const edge of [64, 63]) {
    const bytes = await aPicture(edge);
    await app.choose(await harness.file(`${edge}.png`, bytes));
    const picture = async () => {
      const url = await app.server.pictureOf(tenantId);
      return url && bytesAt(url);
    };
    await expect.poll(picture, { timeout: 60_000 }).toEqual(bytes);
    const names = async () => (await storedIn(app.client)).map(({ filename }) => filename);
    await expect.poll(names, { timeout: 60_000 }).toEqual([`${edge}.png`]);
  }
  const completed = () =>
    app.app.calls.filter(({ action, status }) => action === "complete" && status === 200);
  await expect.poll(completed).toHaveLength(2);
  await app.page.reload();
  const image = app.page.getByRole("img", { name: "Ada" });
  await expect.poll(() => image.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  expect(app.consoleErrors).toEqual([]);
});

test("the app of docs/guides/private-documents.md lists, opens and deletes a document, and shares it by its rule", async () => {
  const page = reactPage('import { Documents } from "./documents.js";', "<Documents />");
  const app = await anApp<{
    openShared(document: { owner: string; path: string }, mayRead: boolean): Promise<string | undefined>;
  }>("guides/private-documents.md", { examples: ["documents.tsx"], page });
  await app.choose(await harness.file("contract.pdf", "%PDF-1.4"));
  const link = app.page.getByRole("link", { name: "contract.pdf" });
  const downloading = app.page.waitForEvent("download");
  await link.click();
  expect((await downloading).suggestedFilename()).toBe("contract.pdf");

  const [stored] = await storedIn(app.client);
  const document = { owner: tenantId, path: stored!.filePath };
  expect(await app.server.openShared(document, false)).toBeUndefined();
  expect(String(await bytesAt((await app.server.openShared(document, true))!))).toBe("%PDF-1.4");

  await app.page.getByRole("listitem").filter({ has: link }).getByRole("button", { name: "Delete" }).click();
  await link.waitFor({ state: "detached" });
  expect(await storedIn(app.client)).toEqual([]);
  expect(app.consoleErrors).toEqual([]);
});

test("the app of docs/guides/public-images.md has an image that everyone sees until it is taken offline", async () => {
  const page = reactPage(
    'import { UploadDropzone } from "@stowage/react";',
    '<UploadDropzone endpoint="/api/stowage" route="product" />',
  );
  const { server, client, choose, consoleErrors } = await anApp<{
    imageOf(tenantId: string, path: string): Promise<string | undefined>;
    takeOffline(path: string): Promise<void>;
  }>("guides/public-images.md", { examples: [], page });
  const bytes = await aPicture(64);
  await choose(await harness.file("shoe.png", bytes));
  await expect.poll(() => storedIn(client), { timeout: 60_000 }).toHaveLength(1);
  const [stored] = await storedIn(client);
  const { filePath } = stored!;
  await expect.poll(() => server.imageOf(tenantId, filePath), { timeout: 60_000 }).toBeTypeOf("string");
  const url = (await server.imageOf(tenantId, filePath))!;
  expect(await bytesAt(url)).toEqual(bytes);
  await server.takeOffline(filePath);
  expect(await bytesAt(url)).toBe(403);
  expect(await server.imageOf(tenantId, filePath)).toBeUndefined();
  expect(consoleErrors).toEqual([]);
});
