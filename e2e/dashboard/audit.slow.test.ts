import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();

test("names the deleted files, and keeps its filters and search in the address", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const projectRef = project.ref;
  const uploads = uploadsTo(dashboard.url, project);
  for (const filename of ["invoice.pdf", "notes.txt"]) await uploads.store({ filename, tenantId: "acme" });
  const { files } = await owner.calls.files.list.query({ projectRef });
  const member = await dashboard.aMember(owner, project, "member");
  for (const { id } of files) await member.calls.files.delete.mutate({ projectRef, fileIds: [id] });
  const { page } = owner;
  await page.goto(`/projects/${projectRef}/audit`);
  const rows = page.getByRole("table", { name: "Audit log entries" }).locator("tbody tr");
  const deleted = rows.filter({ hasText: "Deleted the file" });
  await expect.poll(() => deleted.count()).toBe(2);
  await expectAccessible(page, "audit-log");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("searchbox", { name: "Search by file, tenant or email" }).fill("invoice");
  await expect.poll(() => rows.count()).toBe(1);
  await deleted.getByText("Deleted the file “invoice.pdf” of tenant “acme”").waitFor();
  await page.reload();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("combobox", { name: "Person" }).click();
  await page.getByRole("option", { name: member.email }).click();
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "Deleted a file" }).click();
  await expect.poll(() => rows.count()).toBe(2);
  expect(new URL(page.url()).searchParams.get("action")).toBe("file.deleted");
  expect(page.url()).not.toContain(encodeURIComponent(member.email));
  await page.goBack();
  await rows.filter({ hasText: "Joined as member" }).waitFor();
});
