import { describe, expect, inject, test } from "vitest";
import postgres from "postgres";
import {
  aDashboard,
  expectAccessible,
  expectConsoleErrors,
  type CreatedProject,
  type Person,
} from "./fixtures/a-dashboard.js";
import { copiedBy } from "./fixtures/copied-by.js";
import { importDelivery, signDownload } from "./fixtures/downloads.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const GB = 1000 ** 3;

/** Creates a project with four typical tenants and `count` more. */
async function aProjectWithTenants(owner: Person, count = 0): Promise<CreatedProject> {
  const project = await dashboard.aProject(owner, { defaultQuotaBytes: 5 * GB });
  const sql = postgres(inject("stowage").databaseUrl, { max: 1, onnotice: () => undefined });
  await sql`
    insert into tenants (project_id, tenant_id, used_bytes, file_count, quota_bytes, created_at)
    select p.id, tenant.* from projects p, (
      values ('acme', 4.8 * ${GB}::bigint, 1200, null::bigint, now() - interval '3 months'),
             ('globex', 0.4 * ${GB}::bigint, 31, 10 * ${GB}::bigint, now() - interval '2 days'),
             ('initech.example@a-name-that-is-rather-long-for-a-table.example.com', 20000000000, 8123, null, now() - interval '1 year'),
             ('user_0', 0, 0, null, now())
      union all select 'member-' || i, i, 1, null, now() - interval '2 years' from generate_series(1, ${count}::int) i
    ) as tenant where ref = ${project.ref}`.finally(() => sql.end());
  return project;
}

async function filesOf(owner: Person, { ref: projectRef }: CreatedProject, tenantId: string) {
  const { files } = await owner.calls.files.list.query({ projectRef, tenantId });
  return { projectRef, fileIds: files.map(({ id }) => id) };
}

const requestUpload = (apiKey: string, body: object) =>
  fetch(`${dashboard.url}/api/storage/upload/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });

describe("the list of tenants", () => {
  test("explains how tenants are created if there is none", async () => {
    const owner = await dashboard.anOwner();
    const { ref } = await dashboard.aProject(owner);
    await owner.page.goto(`/projects/${ref}/tenants`);
    await owner.page.getByRole("heading", { name: "No tenants yet" }).waitFor();
    await expectAccessible(owner.page, "tenants-none");
  });

  test("starts with the largest tenant, can be sorted and searched, and keeps both in the address", async () => {
    const owner = await dashboard.anOwner();
    const { ref } = await aProjectWithTenants(owner);
    const { page } = owner;
    const names = () => page.getByRole("table").locator("tbody").getByRole("link").allInnerTexts();
    await page.goto(`/projects/${ref}/tenants`);
    await expect.poll(names).toEqual([expect.stringContaining("initech"), "acme", "globex", "user_0"]);
    await page.getByText("20 GB of 5 GB").waitFor();
    await expectAccessible(page, "tenants");

    await page.getByRole("button", { name: /^Tenant/ }).click();
    await expect.poll(names).toEqual(["acme", "globex", expect.stringContaining("initech"), "user_0"]);
    await page.getByRole("searchbox", { name: "Search by tenant ID" }).fill("ACM");
    await expect.poll(names).toEqual(["acme"]);
    const link = page.url();
    await page.getByRole("searchbox").fill("nobody");
    await page.getByText("No results").waitFor();
    await page.goto(link);
    await expect.poll(names).toEqual(["acme"]);
    expect(await page.getByRole("searchbox").inputValue()).toBe("ACM");
  });

  test("has pages that work with the back button, and finds a tenant far down in a search", async () => {
    const owner = await dashboard.anOwner();
    const { ref } = await aProjectWithTenants(owner, 10_100);
    const { page } = owner;
    const first = page.getByRole("table").locator("tbody").getByRole("link").first();
    await page.goto(`/projects/${ref}/tenants`);
    await expect.poll(() => first.innerText()).toContain("initech");
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(() => first.innerText()).toBe("member-10053");
    await page.goBack();
    await expect.poll(() => first.innerText()).toContain("initech");
    // The service searches a long list in parts, and the page requests the next part by itself.
    await page.getByRole("searchbox").fill("MEMBER-17");
    await page.goto(`/projects/${ref}/tenants?q=user_0`);
    await expect.poll(() => first.innerText()).toBe("user_0");
  });
});

/** Stores a file of 3,000 bytes of the tenant hooli. */
const storeFileOfHooli = (project: Parameters<typeof uploadsTo>[1]) =>
  uploadsTo(dashboard.url, project).store({ filename: "a.txt", bytes: "x".repeat(3000), tenantId: "hooli" });

describe("a tenant", () => {
  test("shows its usage of the quota, and its usage and downloads per day as charts and a table", async () => {
    const owner = await dashboard.anOwner();
    const project = await aProjectWithTenants(owner);
    const path = await storeFileOfHooli(project);
    await signDownload(project, path);
    await importDelivery(path, 4500);
    const { page } = owner;
    await page.goto(`/projects/${project.ref}/tenants/hooli`);
    await page.getByText("3 kB of 5 GB").waitFor();
    await page.getByRole("img", { name: "Storage used by hooli in the last 30 days" }).waitFor();
    for (const name of ["Signed downloads", "Signed size", "Delivered size"])
      await page.getByRole("img", { name: `${name} per day, last 30 days` }).waitFor();
    await page.getByText("4.5 kB", { exact: true }).waitFor();
    await expectAccessible(page, "tenant");

    await page.getByText("Table", { exact: true }).click();
    const days = page.getByRole("table", { name: "Storage used by hooli" }).locator("tbody tr");
    const today = days.first();
    await expect.poll(() => today.innerText()).toMatch(/1\s+3 kB\s+3 kB\s+1\s+3 kB\s+4\.5 kB$/);
    await page.getByText("7 days", { exact: true }).click();
    await expect.poll(() => days.count()).toBe(7);
    await expectAccessible(page, "tenant-table");
  });

  test("can get a quota, which refuses uploads that exceed it, and can return to the default", async () => {
    const owner = await dashboard.anOwner();
    const project = await aProjectWithTenants(owner);
    await storeFileOfHooli(project);
    const { page } = await dashboard.aMember(owner, project, "member");
    await page.goto(`/projects/${project.ref}/tenants/hooli`);
    await page.getByRole("button", { name: "Set limits" }).click();
    const dialog = page.getByRole("dialog", { name: "Limits of hooli" });
    const size = dialog.getByRole("textbox", { name: "Storage" });
    expect(await size.getAttribute("placeholder")).toBe("Default: 5 GB");
    await size.fill("much");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Enter a size such as 500 MB or 5 GB").waitFor();
    await size.fill("1 KB");
    await dialog.getByText("This tenant already uses 3 kB.").waitFor();
    await expectAccessible(page, "tenant-limits");
    await size.fill("4 KB");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("3 kB of 4 kB").waitFor();
    await dialog.waitFor({ state: "hidden" });

    const refused = await requestUpload(project.apiKey, {
      tenant_id: "hooli",
      filename: "b.txt",
      size: 2000,
    });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { detail: expect.stringContaining("quota") },
    ]);

    await page.getByRole("button", { name: "Set limits" }).click();
    await size.fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("3 kB of 5 GB").waitFor();
    await dialog.waitFor({ state: "hidden" });
    expect(
      (await requestUpload(project.apiKey, { tenant_id: "hooli", filename: "b.txt", size: 2000 })).status,
    ).toBe(200);
    const { lines } = await owner.calls.audit.list.query({ projectRef: project.ref });
    expect(lines.slice(0, 2).map(({ details }) => details["quotaBytes"])).toEqual([null, 4000]);
  });

  test("gets a plan that an owner has made, and limits of its own beside it", async () => {
    const owner = await dashboard.anOwner();
    const project = await aProjectWithTenants(owner);
    const { page } = owner;
    await page.goto(`/projects/${project.ref}/settings`);
    const section = page.getByRole("region", { name: "Plans" });
    await section.getByText("No plans yet").waitFor();
    await section.getByRole("button", { name: "Add plan" }).click();
    const added = page.getByRole("dialog", { name: "Add a plan" });
    await added.getByRole("textbox", { name: "Name" }).fill("Pro");
    await added.getByRole("spinbutton", { name: "Files" }).fill("-1");
    await added.getByRole("button", { name: "Add plan" }).click();
    await added.getByText("a plan's name has a-z").waitFor();
    await added.getByText("files must be at least 0").waitFor();
    await expectAccessible(page, "plan-errors");
    await added.getByRole("textbox", { name: "Name" }).fill("pro");
    await added.getByRole("textbox", { name: "Storage" }).fill("8 GB");
    await added.getByRole("spinbutton", { name: "Files" }).fill("20");
    await added.getByRole("button", { name: "Add plan" }).click();
    await added.waitFor({ state: "hidden" });
    const row = section.getByRole("row", { name: /^pro/ });
    await row.getByText("8 GB").waitFor();
    await expectAccessible(page, "plans");

    await page.goto(`/projects/${project.ref}/tenants/user_0`);
    await page.getByRole("button", { name: "Set limits" }).click();
    const dialog = page.getByRole("dialog", { name: "Limits of user_0" });
    await dialog.getByRole("combobox", { name: "Plan" }).selectOption("pro");
    expect(await dialog.getByRole("spinbutton", { name: "Files" }).getAttribute("placeholder")).toBe(
      "Default: 20",
    );
    await dialog.getByRole("spinbutton", { name: "Uploads per minute" }).fill("0");
    await expectAccessible(page, "tenant-plan");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("8 GB (plan)").waitFor();
    await page.getByText("0 of 20", { exact: true }).waitFor();
    await expectAccessible(page, "tenant-with-plan");
    const upload = { tenant_id: "user_0", filename: "a.txt", size: 1 };
    expect((await requestUpload(project.apiKey, upload)).status).toBe(429);

    await page.goto(`/projects/${project.ref}/settings`);
    await row.getByRole("button", { name: "Delete the plan pro" }).click();
    const confirm = page.getByRole("dialog", { name: "Delete the plan pro?" });
    await confirm.getByRole("button", { name: "Delete" }).click();
    await confirm.getByText("Plan is in use by a tenant").waitFor();
    expectConsoleErrors(owner.consoleErrors, /409/);
    await owner.calls.tenants.setLimits.mutate({ projectRef: project.ref, tenantId: "user_0", plan: null });
    await confirm.getByRole("button", { name: "Delete" }).click();
    await section.getByText("No plans yet").waitFor();
    const { lines } = await owner.calls.audit.list.query({ projectRef: project.ref });
    expect(lines.slice(0, 4).map(({ action }) => action)).toEqual([
      "plan.deleted",
      "tenant.limits_changed",
      "tenant.limits_changed",
      "plan.created",
    ]);
    expect(lines[2]!.details).toEqual({
      tenantId: "user_0",
      plan_before: null,
      plan: "pro",
      uploadsPerMinute_before: null,
      uploadsPerMinute: 0,
    });
  });

  test("can be deleted with all its files by an owner who types its ID, unless a file is on hold", async () => {
    const owner = await dashboard.anOwner();
    const project = await aProjectWithTenants(owner);
    await storeFileOfHooli(project);
    const { projectRef, fileIds } = await filesOf(owner, project, "hooli");
    await owner.calls.files.hold.mutate({ projectRef, fileIds, hold: true });
    const { page } = owner;
    await page.goto(`/projects/${project.ref}/tenants/hooli`);
    await page.getByRole("button", { name: "Delete tenant" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete the tenant?" });
    await dialog.getByText("This deletes 1 file (3 kB) for good").waitFor();
    const confirm = dialog.getByRole("button", { name: "Delete tenant" });
    expect(await confirm.isDisabled()).toBe(true);
    await expectAccessible(page, "tenant-delete");
    await dialog.getByRole("textbox", { name: "Type hooli to confirm" }).fill("hooli");
    await confirm.click();
    await dialog.getByText("File is on hold").waitFor();
    expectConsoleErrors(owner.consoleErrors, /409/);
    await owner.calls.files.hold.mutate({ projectRef, fileIds, hold: false });
    await confirm.click();
    await page.getByText("The tenant hooli was deleted.").waitFor();
    await page.waitForURL(/\/tenants$/);
    await page.getByRole("link", { name: "globex" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "hooli" }).count()).toBe(0);
    expect((await filesOf(owner, project, "hooli")).fileIds).toEqual([]);
  });

  test("shows viewers everything without the button to change the quota", async () => {
    const owner = await dashboard.anOwner();
    const project = await aProjectWithTenants(owner);
    const { page } = await dashboard.aMember(owner, project, "viewer");
    await page.goto(`/projects/${project.ref}/tenants`);
    await page.getByRole("link", { name: "globex" }).click();
    await page.getByText("400 MB of 10 GB").waitFor();
    expect(await page.getByRole("button", { name: /Set limits|Delete tenant/ }).count()).toBe(0);
    await page.getByRole("heading", { name: "No files" }).waitFor();
    await expectAccessible(page, "tenant-no-files");
    await page.getByRole("link", { name: "Search these files" }).click();
    await page.waitForURL(/\/files\?tenantId=globex$/);
  });

  test("lists only its own files in pages with links to each file", async () => {
    const owner = await dashboard.anOwner();
    const project = await dashboard.aProject(owner);
    const uploads = uploadsTo(dashboard.url, project);
    const film = { filename: "film.mp4", bytes: "x".repeat(2000), tenantId: "hooli" };
    const path = await uploads.store(film);
    for (let n = 1; n <= 11; n++) {
      await uploads.request({ filename: `of-hooli-${n}.txt`, bytes: "x", tenantId: "hooli" });
      await uploads.request({ filename: `of-acme-${n}.txt`, tenantId: "acme" });
    }
    const { page } = await dashboard.aMember(owner, project, "viewer");
    const files = page.getByRole("table", { name: "Files of hooli" });
    const names = () => files.locator("tbody").getByRole("link").allInnerTexts();
    const newest = Array.from({ length: 10 }, (_, i) => `of-hooli-${11 - i}.txt`);
    await page.goto(`/projects/${project.ref}/tenants/hooli`);
    await expect.poll(names).toEqual(newest);
    await files.getByRole("row", { name: "of-hooli-11.txt" }).getByText("Uploading").last().waitFor();
    await page.getByRole("img", { name: "Storage used by hooli" }).waitFor();
    await expectAccessible(page, "tenant-files");

    await page.setViewportSize({ width: 1280, height: 500 });
    await page.getByRole("button", { name: "Next page" }).click();
    await expect.poll(names).toEqual(["of-hooli-1.txt", "film.mp4"]);
    // Paging keeps the scroll position.
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    expect(await copiedBy(files.getByRole("button", { name: "Copy path of film.mp4" }))).toBe(path);
    await files.getByRole("link", { name: "film.mp4" }).click();
    await page.getByRole("heading", { name: "film.mp4" }).waitFor();
    await page.goBack();
    await expect.poll(names).toEqual(["of-hooli-1.txt", "film.mp4"]);
    await page.reload();
    await expect.poll(names).toEqual(["of-hooli-1.txt", "film.mp4"]);
    await page.goBack();
    await expect.poll(names).toEqual(newest);

    await files.locator("th").filter({ hasText: "Size" }).click();
    await expect.poll(async () => (await names())[0]).toBe("film.mp4");
    expect(page.url()).toContain("?sort=size&order=desc");
  });

  test("shows a message if it does not exist", async () => {
    const owner = await dashboard.anOwner();
    const { ref } = await dashboard.aProject(owner);
    await owner.page.goto(`/projects/${ref}/tenants/nobody`);
    await owner.page.getByText("Tenant not found").waitFor();
    await expectAccessible(owner.page, "tenant-missing");
    // Chromium logs a 404 only for a request that is not part of a batch.
    expect(owner.consoleErrors.splice(0).filter((line) => !line.includes("404"))).toEqual([]);
  });
});

test("shows a tenant's folders, and the files in the one that is opened", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page } = owner;
  const uploads = uploadsTo(dashboard.url, project);
  for (const [filename, folder] of [
    ["root.txt", ""],
    ["year.txt", "reports"],
    ["month.txt", "reports/2026"],
  ] as const) {
    await uploads.store({ filename, folder, bytes: "hello", tenantId: "acme" });
  }
  await page.goto(`/projects/${project.ref}/tenants/acme`);
  const folders = page.getByRole("list", { name: "Folders" });
  const table = page.getByRole("table", { name: "Files of acme" });
  const files = () => table.locator("tbody").getByRole("link").allInnerTexts();
  await expect.poll(files).toEqual(["month.txt", "year.txt", "root.txt"]);
  await folders.getByRole("button", { name: "reports 2 files" }).click();
  await page.waitForURL("**folder=reports**");
  await expect.poll(files).toEqual(["year.txt"]);
  // The button that had the focus is gone.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Files");
  await expectAccessible(page, "tenant-folders");
  await folders.getByRole("button", { name: "2026 1 file" }).click();
  await expect.poll(files).toEqual(["month.txt"]);
  await page.getByRole("link", { name: "Search these files" }).click();
  await page.waitForURL("**/files?**");
  await expect.poll(() => page.getByRole("searchbox", { name: "Folder" }).inputValue()).toBe("reports/2026");
  await page.goBack();
  await page.getByRole("navigation", { name: "Folder" }).getByRole("button", { name: "All folders" }).click();
  await expect.poll(files).toEqual(["month.txt", "year.txt", "root.txt"]);
});
