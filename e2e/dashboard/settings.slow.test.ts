import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { expect, inject, test } from "vitest";
import { storageClient } from "../fixtures/storage-client.js";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { uploadStatus } from "./fixtures/uploads.js";

const dashboard = aDashboard();

test("renames a project and changes its limits, with units in the sizes", async () => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  const { ref, name } = await dashboard.aProject(owner);
  await page.goto(`/projects/${ref}/settings`);
  const main = page.getByRole("main");
  const save = main.getByRole("button", { name: "Save" });
  const saveLimits = main
    .getByRole("region", { name: "Upload limits" })
    .getByRole("button", { name: "Save" });

  await main.getByRole("textbox", { name: "Name" }).fill(" ");
  await save.first().click();
  await main.getByText("name is required").waitFor();
  await main.getByRole("textbox", { name: "Name" }).fill(`${name} renamed`);
  await save.first().click();
  await page.getByText("The name was saved.").waitFor();
  await page.getByRole("navigation", { name: "Project" }).getByText(`${name} renamed`).waitFor();

  await main.getByLabel("Maximum file size").fill("6 TB");
  await main.getByLabel("Default quota").fill("lots");
  await saveLimits.click();
  await main.getByText("maximum file size must be at most 5 TiB").waitFor();
  await main.getByText("Enter a size such as").waitFor();
  await expectAccessible(page, "settings");
  await main.getByLabel("Maximum file size").fill("250 MB");
  await main.getByLabel("Default quota").fill("2 gb");
  await main.getByRole("switch", { name: "Require file size" }).check();
  await main.getByRole("switch", { name: "Allow files over the quota" }).check();
  await saveLimits.click();
  await page.getByText("The settings were saved.").waitFor();
  await expect.poll(() => main.getByLabel("Default quota").inputValue()).toBe("2 GB");
  expect(await owner.calls.projects.read.query({ projectRef: ref })).toMatchObject({
    name: `${name} renamed`,
    defaultQuotaBytes: 2_000_000_000,
    maxFileBytes: 250_000_000,
    requireSize: true,
    allowOverQuota: true,
  });

  await page.getByRole("link", { name: "Audit log" }).click();
  const log = page.getByRole("table");
  await log.getByText(`Renamed the project from “${name}” to “${name} renamed”`).waitFor();
  await log
    .getByText(/^Changed the default quota from the service default to 2 GB, and the maximum/)
    .waitFor();
  await log.getByText("Chrome on").filter({ visible: true }).first().waitFor();
  await expectAccessible(page, "audit");
});

test("a saved form does not ask before the page is left, although the project is still loaded again", async () => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  const { ref, name } = await dashboard.aProject(owner);
  await page.goto(`/projects/${ref}/settings`);
  const main = page.getByRole("main");
  await main.getByRole("textbox", { name: "Name" }).fill(`${name} renamed`);
  // Other calls can be part of the same request, so only those that read this project are held.
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/projects\.read/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await main.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("The name was saved.").waitFor();
  await page.getByRole("navigation", { name: "Project" }).getByRole("link", { name: "Audit log" }).click();
  await page.waitForURL((url) => url.pathname === `/projects/${ref}/audit`);
  expect(await page.getByRole("dialog").count()).toBe(0);
  answer();
  await page.getByRole("table").getByText(`Renamed the project from “${name}”`).waitFor();
});

test("restores a value that could not be saved, and says why", async () => {
  const owner = await dashboard.anOwner();
  const { page, context, consoleErrors } = owner;
  const { ref, name } = await dashboard.aProject(owner);
  await page.goto(`/projects/${ref}/settings`);
  await page.getByRole("main").getByRole("textbox", { name: "Name" }).fill("another");
  await context.setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("You are offline. Nothing was changed.").waitFor();
  await page.getByRole("navigation", { name: "Project" }).getByText(name, { exact: true }).waitFor();
  expect(consoleErrors.splice(0).join()).toContain("ERR_INTERNET_DISCONNECTED");
});

test("deletes a project after its name is typed, with its key and its files in storage", async () => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  const project = await dashboard.aProject(owner);
  const { presigned_url, headers } = (await (
    await fetch(`${dashboard.url}/api/storage/upload/`, {
      method: "POST",
      headers: { Authorization: `Bearer ${project.apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ tenant_id: "acme", filename: "a.txt" }),
    })
  ).json()) as { presigned_url: string; headers: Record<string, string> };
  const put = await fetch(presigned_url, { method: "PUT", headers, body: "hello" });
  expect(put.status).toBe(200);
  const { storage } = inject("stowage");
  const client = storageClient(storage);
  const list = new ListObjectsV2Command({
    Bucket: storage["S3_BUCKET"],
    Prefix: `projects/${project.ref}/`,
  });
  const stored = async () => (await client.send(list)).KeyCount;
  expect(await stored()).toBe(1);

  await page.goto(`/projects/${project.ref}/settings`);
  await page.getByRole("button", { name: "Delete project" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this project?" });
  await dialog.getByText("the files are removed from storage").waitFor();
  await expectAccessible(page, "settings-delete-dialog");
  await dialog.getByRole("textbox").fill(project.name);
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  // Before the address: the message is shown for a few seconds.
  await page.getByText(`${project.name} was deleted.`).waitFor();
  await page.waitForURL((url) => url.pathname === "/");
  await expect.poll(() => page.getByRole("link", { name: project.name }).count()).toBe(0);
  expect(await uploadStatus(dashboard.url, project.apiKey)).toBe(401);
  await expect.poll(stored, { timeout: 90_000 }).toBe(0);
  client.destroy();
});

test("shows members who are not owners that they cannot use settings and audit log", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page } = await dashboard.aMember(owner, project, "member");
  await page.goto(`/projects/${project.ref}/settings`);
  await page.getByText("Only owners of the project can change its settings.").waitFor();
  await page.goto(`/projects/${project.ref}/audit`);
  await page.getByText("Only owners of the project can read its audit log.").waitFor();
  await expectAccessible(page, "audit-not-owner");
});

test("asks before unsaved settings are left, by a link, the back button or closing the tab, and not after they are saved", async () => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  const { ref } = await dashboard.aProject(owner);
  await page.goto(`/projects/${ref}/members`);
  const tenants = page.getByRole("link", { name: "Tenants" });
  const openSettings = () => page.getByRole("link", { name: "Settings" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await openSettings();
  const name = page.getByRole("main").getByRole("textbox", { name: "Name" });
  await name.waitFor();
  await tenants.click();
  await page.waitForURL("**/tenants");

  await openSettings();
  await name.fill("Unsaved");
  await page.getByLabel("Default quota").fill("1 GB");
  await tenants.click();
  await question.waitFor();
  await expectAccessible(page, "unsaved-question");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  expect(await name.inputValue()).toBe("Unsaved");
  await page.goBack();
  await question.getByRole("button", { name: "Stay on this page" }).click();
  await question.waitFor({ state: "hidden" });
  const closing = page.waitForEvent("dialog");
  void page.close({ runBeforeUnload: true });
  const beforeUnload = await closing;
  expect(beforeUnload.type()).toBe("beforeunload");
  await beforeUnload.dismiss();
  await tenants.click();
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await page.waitForURL("**/tenants");

  await openSettings();
  await name.fill("Saved");
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("The name was saved.").waitFor();
  await tenants.click();
  await page.waitForURL("**/tenants");
});
