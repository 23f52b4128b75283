import { createStowageClient } from "@stowage/server/client";
import { expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aFolder } from "../fixtures/a-run.js";
import { importExample } from "../fixtures/build-guide-page.js";
import { runCommands } from "../fixtures/run-guide.js";

const tenantId = "user_42";

test("the commands of docs/tenant-limits.md give a tenant a plan, and one limit of its own", async () => {
  const { apiKey } = await aProject();
  const { url: baseUrl } = inject("stowage");
  await using folder = await aFolder();
  const variables = { STOWAGE: baseUrl, KEY: apiKey };
  await runCommands({ guide: "tenant-limits.md", command: "put plans", folder: folder.path, variables });
  const client = createStowageClient({ apiKey, baseUrl });
  expect(await client.usage(tenantId)).toMatchObject({
    plan: "free",
    quotaBytes: 1_000_000_000,
    maxFiles: 1500,
    uploadsPerMinute: 30,
  });
});

test("the commands and the code of docs/replacing.md keep versions, and bring one back", async () => {
  const { ref, apiKey } = await aProject({ trashDays: 30 });
  await using folder = await aFolder();
  const command = "--max-versions 10";
  await runCommands({ guide: "replacing.md", command, placeholders: { REF: ref }, folder: folder.path });
  const { undoReplacement } = await importExample<{
    undoReplacement(filePath: string, tenantId: string): Promise<string>;
  }>("replacing.md", "undo-replacement.ts", apiKey);
  const client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
  const upload = async (text: string, replaces?: string) =>
    (await client.upload({ tenantId, filename: "contract.txt", file: Buffer.from(text), replaces })).filePath;
  const first = await upload("first");
  expect(await undoReplacement(first, tenantId)).toBe(first);
  const second = await upload("second", first);
  expect(await undoReplacement(second, tenantId)).toBe(first);
  const { presignedUrl } = await client.downloadUrl(first, { tenantId });
  expect(await (await fetch(presignedUrl, { signal: AbortSignal.timeout(60_000) })).text()).toBe("first");
  const versions = await client.listVersions(first, { tenantId });
  expect(versions.map(({ filePath }) => filePath)).toEqual([second]);
});
