import { expect, test } from "vitest";
import { aDashboard, expectAccessible, expectConsoleErrors } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();

/** A file that replaced two others, in a project with versions. */
async function aReplacedFile(settings: object = { trashDays: 7, maxVersions: 5 }) {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, settings);
  const uploads = uploadsTo(dashboard.url, project);
  const first = await uploads.store({ filename: "draft.txt", bytes: "first" });
  const second = await uploads.store({ filename: "draft 2.txt", bytes: "the second", replaces: first });
  await uploads.store({ filename: "final.txt", bytes: "final", replaces: second });
  const { files } = await owner.calls.files.list.query({
    projectRef: project.ref,
    states: ["stored", "trashed"],
  });
  const addressOf = (name: string) =>
    `/projects/${project.ref}/files/${files.find(({ filename }) => filename === name)!.id}`;
  return { owner, project, addressOf };
}

test("a member sees the versions of a file, downloads one and restores it; the audit log has it", async () => {
  const { owner, project, addressOf } = await aReplacedFile();
  const { page, email } = await dashboard.aMember(owner, project, "member");
  await page.goto(addressOf("final.txt"));
  const panel = page.getByRole("region", { name: "Versions" });
  const rows = panel.getByRole("row");
  const name = (nth: number) => rows.nth(nth).getByRole("link").innerText();
  await rows.nth(2).waitFor();
  expect([await rows.count(), await name(1), await name(2)]).toEqual([3, "draft 2.txt", "draft.txt"]);
  await rows.nth(2).getByText("5 bytes", { exact: true }).waitFor();
  await rows.nth(2).getByText("removed in 7 days").waitFor();
  await expectAccessible(page, "versions");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    rows
      .nth(2)
      .getByRole("button", { name: /^Download draft.txt, replaced / })
      .click(),
  ]);
  expect(download.suggestedFilename()).toBe("draft.txt");
  const bytes = await (await download.createReadStream()).toArray();
  expect(Buffer.concat(bytes as Buffer[]).toString()).toBe("first");

  await rows
    .nth(2)
    .getByRole("button", { name: /^Restore draft.txt, replaced / })
    .click();
  const dialog = page.getByRole("dialog", { name: "Restore this version?" });
  await dialog.getByText("this file moves to the trash as its newest version").waitFor();
  await expectAccessible(page, "version-restore");
  await dialog.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByText("The version was restored.").waitFor();
  await page.waitForURL(`**${addressOf("draft.txt")}`);
  await expect.poll(() => name(1)).toBe("final.txt");
  expect([await rows.count(), await name(2)]).toEqual([3, "draft 2.txt"]);
  const { lines } = await owner.calls.audit.list.query({ projectRef: project.ref });
  expect(lines[0]).toMatchObject({
    action: "file.restored",
    operatorEmail: email,
    details: { filename: "draft.txt" },
  });
  await rows.nth(1).getByRole("link").click();
  await page.waitForURL(`**${addressOf("final.txt")}`);
  await page.getByRole("region", { name: "Details" }).getByText("Replaced by").waitFor();
  await expect.poll(() => panel.count()).toBe(0);
});

test("a version that is gone is not restored, and the dialog says so", async () => {
  const { owner, project, addressOf } = await aReplacedFile();
  const { page } = owner;
  await page.goto(addressOf("final.txt"));
  await page.getByRole("button", { name: /^Restore draft 2.txt/ }).click();
  const fileIds = [Number(addressOf("draft 2.txt").split("/").at(-1))];
  await owner.calls.files.delete.mutate({ projectRef: project.ref, fileIds, purge: true });
  const dialog = page.getByRole("dialog", { name: "Restore this version?" });
  await dialog.getByRole("button", { name: "Restore", exact: true }).click();
  await dialog.getByRole("alert").waitFor();
  await page
    .getByRole("region", { name: "Versions" })
    .getByText("draft 2.txt")
    .waitFor({ state: "detached" });
  expectConsoleErrors(owner.consoleErrors, /status of 404/);
});

test("a viewer downloads versions, and restores none", async () => {
  const { owner, project, addressOf } = await aReplacedFile();
  const { page } = await dashboard.aMember(owner, project, "viewer");
  await page.goto(addressOf("final.txt"));
  const panel = page.getByRole("region", { name: "Versions" });
  await panel.getByRole("button", { name: /^Download draft 2.txt/ }).waitFor();
  expect(await panel.getByRole("button", { name: /^Restore/ }).count()).toBe(0);
});

test("a project without versions shows none, and one with versions says that a file has none", async () => {
  const { owner, project, addressOf } = await aReplacedFile({ trashDays: 7 });
  const { page } = owner;
  await page.goto(addressOf("final.txt"));
  await page
    .getByRole("region", { name: "Share links" })
    .getByText("This file has no share links.")
    .waitFor();
  const panel = page.getByRole("region", { name: "Versions" });
  expect(await panel.count()).toBe(0);
  await owner.calls.settings.update.mutate({ projectRef: project.ref, maxVersions: 1 });
  await page.reload();
  await panel.getByRole("link", { name: "draft 2.txt" }).waitFor();
  const single = await uploadsTo(dashboard.url, project).store({ filename: "single.txt" });
  const { files } = await owner.calls.files.list.query({ projectRef: project.ref });
  await page.goto(`/projects/${project.ref}/files/${files.find(({ path }) => path === single)!.id}`);
  await panel.getByText("This file has no versions.").waitFor();
});
