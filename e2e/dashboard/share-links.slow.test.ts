import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { copiedBy } from "./fixtures/copied-by.js";
import { openFilePage } from "./fixtures/open-file-page.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const PASSWORD = "correct horse";

/** Uses a link as a visitor who knows its password. @returns the status */
async function use(url: string): Promise<number> {
  const body = new URLSearchParams({ password: PASSWORD });
  const signal = AbortSignal.timeout(60_000);
  return (await fetch(url, { method: "POST", body, redirect: "manual", signal })).status;
}

test("a member creates a link that is shown once, sees its downloads, and revokes it; the audit log has both", async () => {
  const { page, project, calls } = await openFilePage(dashboard, { filename: "offer.txt", bytes: "offer" });
  const panel = page.getByRole("region", { name: "Share links" });
  await panel.getByText("This file has no share links.").waitFor();
  await panel.getByRole("button", { name: "Create a link" }).click();
  const dialog = page.getByRole("dialog");
  const create = dialog.getByRole("button", { name: "Create a link" });
  await dialog.getByLabel("Ends").selectOption({ label: "After 7 days" });
  await dialog.getByLabel("Number of downloads").fill("0");
  await dialog.getByLabel("Password").fill("short");
  await create.click();
  await dialog.getByText("Enter a whole number from 1 to 1,000,000,000.").waitFor();
  await dialog.getByText("The password must have 8 to 128 characters.").waitFor();
  await expectAccessible(page, "share-link-form");
  await dialog.getByLabel("Number of downloads").fill("2");
  await dialog.getByLabel("Password").fill(PASSWORD);
  await create.click();
  await dialog.getByText("This link is shown only once").waitFor();
  await expectAccessible(page, "share-link-created");
  const url = await copiedBy(dialog.getByRole("button", { name: "Copy link" }));
  expect(await dialog.getByLabel("Link", { exact: true }).inputValue()).toBe(url);
  await dialog.getByRole("button", { name: "I have copied the link" }).click();

  const row = panel.getByRole("row").nth(1);
  for (const text of ["Works", "With a password", "0 of 2", "Ends in 7 days"])
    await row.getByText(text).waitFor();
  expect(await use(url)).toBe(302);
  await page.reload();
  await row.getByText("1 of 2").waitFor();
  await expectAccessible(page, "share-links");
  expect(await page.content()).not.toContain(url.slice(-22));
  expect(await use(url)).toBe(302);
  await page.reload();
  await row.getByText("Used up").waitFor();

  await row.getByRole("button", { name: "Revoke the link of" }).click();
  await dialog.getByText("Revoke the link?").waitFor();
  await expectAccessible(page, "share-link-revoke");
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("The link was revoked.").waitFor();
  await panel.getByText("This file has no share links.").waitFor();
  expect(await use(url)).toBe(404);
  const { lines } = await calls.audit.list.query({ projectRef: project.ref });
  expect(lines.map(({ action }) => action).slice(0, 2)).toEqual(["link.revoked", "link.created"]);
});

test("a viewer sees links, and more of them on demand, and neither creates nor revokes one", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const filePath = await uploadsTo(dashboard.url, project).store({ filename: "offer.txt", bytes: "offer" });
  for (let count = 0; count < 51; count++)
    await owner.calls.links.create.mutate({ projectRef: project.ref, filePath });
  const { files } = await owner.calls.files.list.query({ projectRef: project.ref });
  const { page } = await dashboard.aMember(owner, project, "viewer");
  await page.goto(`/projects/${project.ref}/files/${files[0]!.id}`);
  const panel = page.getByRole("region", { name: "Share links" });
  const links = panel.getByRole("row").filter({ hasText: "Works" });
  await expect.poll(() => links.count(), { timeout: 60_000 }).toBe(50);
  await panel.getByRole("button", { name: "Show more links" }).click();
  await expect.poll(() => links.count(), { timeout: 60_000 }).toBe(51);
  expect(await panel.getByRole("button").count()).toBe(0);
});

test("an upload names the file that it replaces, which then names it in the trash, where its links are paused", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, { trashDays: 7 });
  const { page } = owner;
  const uploads = uploadsTo(dashboard.url, project);
  const replaces = await uploads.store({ filename: "old.txt", bytes: "old" });
  await owner.calls.links.create.mutate({ projectRef: project.ref, filePath: replaces });
  const upload = await uploads.request({ filename: "new.txt", bytes: "newer", replaces });
  const { files } = await owner.calls.files.list.query({ projectRef: project.ref });
  const idOf = (name: string) => files.find(({ filename }) => filename === name)!.id;
  const details = page.getByRole("region", { name: "Details" });
  const old = `**/files/${idOf("old.txt")}`;

  await page.goto(`/projects/${project.ref}/files/${idOf("new.txt")}`);
  await details.getByRole("row", { name: "Replaces old.txt" }).getByRole("link").click();
  await page.waitForURL(old);
  await upload.send();
  await page.reload();
  await details.getByText("Replaced by").waitFor();
  const panel = page.getByRole("region", { name: "Share links" });
  await panel.getByText("Links do not work while the file is in the trash.").waitFor();
  await panel.getByText("Paused").waitFor();
  expect(await panel.getByRole("button", { name: "Create a link" }).count()).toBe(0);
  await expectAccessible(page, "replaced-file");
  await details.getByRole("row", { name: "Replaced by new.txt" }).getByRole("link").click();
  await page.getByRole("heading", { name: "new.txt" }).waitFor();
  expect(await details.getByText("Replaces").count()).toBe(0);
});
