import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import {
  anUploadThing,
  aSupabase,
  type OtherFile,
  SUPABASE_KEY,
  uploadThingToken,
} from "@stowage/service/test/fixtures/other-stores.js";
import { aSourceStore, SOURCE_BUCKET } from "@stowage/service/test/fixtures/a-source-store.js";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { buildGuidePage, importExample, reactPage } from "../fixtures/build-guide-page.js";
import { runCommands } from "../fixtures/run-guide.js";
import { aPageHarness } from "./fixtures/a-page-harness.js";

/* The commands of each guide, and what all of them do with the table: the code of docs/importing.md. */

type ReplaceKeys = (
  table: string,
  replace: (key: string, filePath: string) => Promise<unknown>,
) => Promise<void>;

const NAME = "Holiday 2024.png";

const harness = aPageHarness();
let pageDir: string;
let bytes: Buffer;
let replaceKeys: ReplaceKeys;
beforeAll(async () => {
  const page = reactPage(
    `import { Photo } from "./photo.js";
const path = new URLSearchParams(location.search).get("path");`,
    '{path && <Photo path={path} alt="Holiday" />}',
  );
  pageDir = await buildGuidePage("importing.md", ["photo.tsx"], page);
  ({ replaceKeys } = await importExample<{ replaceKeys: ReplaceKeys }>(
    "importing.md",
    "replace-keys.ts",
    "",
  ));
  bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
});

const aPhoto = (key: string, more: Partial<OtherFile> = {}): OtherFile => ({
  key,
  bytes,
  contentType: "image/png",
  ...more,
});

/** A user of an app whose table still has the old key of a photo. */
async function aUser() {
  const { ref, apiKey } = await aProject();
  const stowage = { apiKey, allowList: true, allowDownload: true };
  const { page, app, user, consoleErrors } = await harness.openPage({ pageDir, stowage });
  const folder = await harness.folder();
  return { ref, user, folder, expectPhoto };

  async function expectPhoto(table: string, oldKey: string): Promise<void> {
    const photo = { path: oldKey };
    const replace = async (key: string, filePath: string) => {
      if (photo.path === key) photo.path = filePath;
    };
    for (let run = 1; run <= 2; run++) await replaceKeys(join(folder, table), replace);
    expect(photo.path).toMatch(new RegExp(`^projects/${ref}/tenants/`));

    const receiving = page.waitForResponse(
      (answer) => answer.request().resourceType() === "image" && answer.ok(),
    );
    await page.goto(`${app.url}/?path=${encodeURIComponent(photo.path)}`);
    expect(bytes.equals(await (await receiving).body())).toBe(true);
    const image = page.getByRole("img", { name: "Holiday" });
    await expect.poll(() => image.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(40);
    expect(consoleErrors).toEqual([]);
  }
}

test("the commands of the guide for UploadThing bring a photo to the page of its user", async () => {
  const { ref, user, folder, expectPhoto } = await aUser();
  await using front = await anUploadThing([
    aPhoto("k1", { name: "other.png" }),
    aPhoto("k2", { name: NAME }),
  ]);
  const owners = [
    { key: "k1", tenant_id: "grace" },
    { key: "k2", tenant_id: user },
  ];
  await writeFile(join(folder, "owners.ndjson"), owners.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await runCommands({
    guide: "guides/migrate-from-uploadthing.md",
    command: "stowage import",
    placeholders: { "UPLOADTHING_TOKEN=…": `UPLOADTHING_TOKEN=${uploadThingToken}`, REF: ref },
    options: ["--endpoint", front.url, "--files-endpoint", front.url],
    folder,
  });
  await expectPhoto("import.ndjson", "k2");
});

test("the commands of the guide for Supabase bring a photo to the page of its user", async () => {
  const { ref, user, folder, expectPhoto } = await aUser();
  const key = `${user}/2024/${NAME}`;
  await using front = await aSupabase("avatars", [aPhoto(`grace/2024/${NAME}`), aPhoto(key)]);
  await runCommands({
    guide: "guides/migrate-from-supabase.md",
    command: "stowage import",
    placeholders: { "SUPABASE_SECRET_KEY=…": `SUPABASE_SECRET_KEY=${SUPABASE_KEY}`, REF: ref },
    options: ["--endpoint", front.url],
    folder,
  });
  await expectPhoto("avatars.ndjson", key);
});

test("the commands of docs/importing.md say what an import would do, import from S3, and export again", async () => {
  const { ref, user, folder, expectPhoto } = await aUser();
  await using store = await aSourceStore();
  const key = `users/${user}/2024/${NAME}`;
  await store.put(key, bytes, { ContentType: "image/png" });
  const { SOURCE_ACCESS_KEY_ID, SOURCE_SECRET_ACCESS_KEY, ...target } = store.settings;
  const importing = {
    guide: "importing.md",
    command: "stowage import",
    options: ["--endpoint", store.endpoint, "--region", "us-east-1"],
    folder,
  };
  const placeholders = {
    "SOURCE_ACCESS_KEY_ID=…": `SOURCE_ACCESS_KEY_ID=${SOURCE_ACCESS_KEY_ID}`,
    "SOURCE_SECRET_ACCESS_KEY=…": `SOURCE_SECRET_ACCESS_KEY=${SOURCE_SECRET_ACCESS_KEY}`,
    REF: ref,
  };
  expect(await runCommands({ ...importing, placeholders })).toMatch(
    new RegExp(`^Would import 1 files of 1 tenants, with ${bytes.length} bytes`),
  );
  await expect(readFile(join(folder, "import.ndjson"))).rejects.toThrow("ENOENT");
  await runCommands({ ...importing, placeholders: { ...placeholders, "--dry-run": "" } });
  await expectPhoto("import.ndjson", key);

  await runCommands({
    ...importing,
    command: "stowage export",
    placeholders: {
      "TARGET_ACCESS_KEY_ID=…": `TARGET_ACCESS_KEY_ID=${target.TARGET_ACCESS_KEY_ID}`,
      "TARGET_SECRET_ACCESS_KEY=…": `TARGET_SECRET_ACCESS_KEY=${target.TARGET_SECRET_ACCESS_KEY}`,
      "BUCKET/PREFIX": `${SOURCE_BUCKET}/copy/`,
      REF: ref,
    },
  });
  const lines = (await readFile(join(folder, "export.ndjson"), "utf8")).trimEnd().split("\n");
  const exported = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "file");
  expect(exported).toMatchObject([{ tenant_id: user, filename: NAME, folder: "2024" }]);
  const copy = await store.client.send(
    new GetObjectCommand({ Bucket: SOURCE_BUCKET, Key: exported[0].target_key }),
  );
  expect(bytes.equals(await copy.Body!.transformToByteArray())).toBe(true);
});
