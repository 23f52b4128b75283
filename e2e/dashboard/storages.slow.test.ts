import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { expect, inject, onTestFinished, test } from "vitest";
import { storageClient } from "../fixtures/storage-client.js";
import { aDashboard, expectAccessible, PASSWORD } from "./fixtures/a-dashboard.js";
import { aNewService } from "./fixtures/a-new-service.js";

const dashboard = aDashboard();

test("offers the storages of the installation for a new project, and the default at first", async () => {
  const { storage } = inject("stowage");
  const buckets = { eu: `eu-${randomBytes(4).toString("hex")}`, us: `us-${randomBytes(4).toString("hex")}` };
  const client = storageClient(storage);
  for (const Bucket of Object.values(buckets)) await client.send(new CreateBucketCommand({ Bucket }));
  client.destroy();
  const dir = await mkdtemp(join(tmpdir(), "stowage-storages-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const entryOf = (bucket: string) => ({ endpoint: storage["S3_ENDPOINT"], region: "us-east-1", bucket });
  await writeFile(
    join(dir, "storages.json"),
    JSON.stringify({ default: "eu", us: entryOf(buckets.us), eu: entryOf(buckets.eu) }),
  );
  const service = await aNewService({ STORAGES_FILE: join(dir, "storages.json") });

  const { page } = await dashboard.aVisitor();
  await page.goto(service.setupUrl);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "Create your first project" }).click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  const choice = dialog.getByRole("combobox", { name: "Storage" });
  expect(await choice.inputValue()).toBe("eu");
  expect(await choice.getByRole("option").allInnerTexts()).toEqual(["eu", "us"]);
  await expectAccessible(page, "projects-create-dialog-storages");
  await choice.selectOption("us");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Harbour");
  await dialog.getByRole("button", { name: "Create project" }).click();
  const key = await page.getByRole("textbox", { name: "API key" }).inputValue();
  const answer = await fetch(`${service.url}/api/storage/upload/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ tenant_id: "t", filename: "a.txt" }),
  });
  const { presigned_url } = (await answer.json()) as { presigned_url: string };
  expect(presigned_url).toContain(`/${buckets.us}/projects/`);

  await page.getByRole("button", { name: "I have saved the key" }).click();
  await page.waitForURL(/\/projects\/[^/]+$/);
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Audit log" }).click();
  await page.getByText("Created the project “Harbour” in the storage “us”").waitFor();
});
