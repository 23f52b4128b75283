import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { tryItTenantId } from "@stowage/operator-schemas";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dragFiles } from "../fixtures/drag-files.js";
import { aDashboard, expectAccessible, type CreatedProject, type Person } from "./fixtures/a-dashboard.js";
import { copiedBy } from "./fixtures/copied-by.js";

const dashboard = aDashboard();

/** The folder of the dropped files, and the working directory of the copied commands. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-quickstart-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function aFile(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** Opens the quickstart of a new project. @returns its dropzone */
async function open({ page }: Person, { ref }: CreatedProject): Promise<Locator> {
  await page.goto(`/projects/${ref}`);
  await page.getByRole("heading", { name: "Connect your product" }).waitFor();
  return page.locator("[data-upload]");
}

async function drop({ page, context }: Person, dropzone: Locator, path: string): Promise<void> {
  const devTools = await context.newCDPSession(page);
  await dropzone.waitFor();
  await (await dragFiles({ page, devTools }, dropzone, [path])).drop();
}

/** Calls the REST API with the project's key, as a customer's backend does. */
async function callApi<Answer>({ apiKey }: CreatedProject, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${dashboard.url}/api/storage/${path}`, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(60_000),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

interface StoredFile {
  file_path: string;
  filename: string;
  tenant_id: string;
  size: number;
  status: string;
}
const filesOf = async (project: CreatedProject) =>
  (await callApi<{ files: StoredFile[] }>(project, "files/?status=stored")).files;

test("shows how to connect, and becomes the overview when the first file is dropped", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const dropzone = await open(owner, project);
  await drop(owner, dropzone, await aFile("first.txt", "the first file"));

  // It may be listed before it is stored.
  await owner.page
    .getByRole("table", { name: "Newest uploads" })
    .getByRole("row", { name: /first\.txt.*Stored/ })
    .waitFor();
  const [file, ...others] = await filesOf(project);
  expect(others).toEqual([]);
  expect(file).toMatchObject({ filename: "first.txt", tenant_id: tryItTenantId, size: 14, status: "stored" });
  const { presigned_url } = await callApi<{ presigned_url: string }>(project, "download/", {
    file_path: file!.file_path,
  });
  expect(await (await fetch(presigned_url)).text()).toBe("the first file");
  const { lines } = await owner.calls.audit.list.query({ projectRef: project.ref });
  expect(lines[0]).toMatchObject({
    action: "file.upload_requested",
    details: { filename: "first.txt", file_path: file!.file_path },
  });
  // A project with a file never shows the quickstart.
  await owner.page.reload();
  await owner.page.getByText("first.txt").first().waitFor();
  expect(await owner.page.getByRole("heading", { name: "Connect your product" }).count()).toBe(0);
});

test("offers commands that work unchanged with the key in the environment, and shows the file that they store", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await open(owner, project);
  // The button says it for two seconds.
  const [commands] = await Promise.all([
    copiedBy(owner.page.getByRole("button", { name: "Copy commands" })),
    owner.page.getByText("Copied").first().waitFor(),
  ]);
  expect(commands).toContain(`${dashboard.url}/api/storage/upload/`);
  expect(commands).not.toContain(project.apiKey);

  const { stdout } = await promisify(execFile)("sh", ["-euc", commands], {
    cwd: folder,
    timeout: 90_000,
    env: { PATH: process.env["PATH"], STOWAGE_API_KEY: project.apiKey },
  });
  expect(JSON.parse(stdout)).toMatchObject({
    filename: "hello.txt",
    tenant_id: "user_42",
    size: 6,
    status: "stored",
  });
  await owner.page.getByRole("heading", { name: "Connect your product" }).waitFor({ state: "detached" });
});

test("shows viewers how to connect, and why they cannot upload", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const viewer = await dashboard.aMember(owner, project, "viewer");
  const dropzone = await open(viewer, project);
  await viewer.page.getByText("Ask an owner of the project").waitFor();
  expect(await dropzone.count()).toBe(0);
  await expectAccessible(viewer.page, "quickstart-viewer");
});

test("shows a message in the dropzone for a file that exceeds the quota", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner, { defaultQuotaBytes: 10 });
  const member = await dashboard.aMember(owner, project, "member");
  const dropzone = await open(member, project);
  await drop(member, dropzone, await aFile("large.txt", "more than ten bytes"));
  await dropzone.getByRole("listitem").getByText("The quota has no room for this file").waitFor();
  // Chromium logs the refused request.
  expect(member.consoleErrors.splice(0).join()).toContain("403");
  expect(await filesOf(project)).toEqual([]);
  await expectAccessible(member.page, "quickstart-refused");
});

test("uploads a file that was dropped offline when the connection is back", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const dropzone = await open(owner, project);
  await dropzone.waitFor();
  await owner.context.setOffline(true);
  await drop(owner, dropzone, await aFile("patient.txt", "later"));
  await dropzone.getByText("offline").first().waitFor();
  await owner.context.setOffline(false);
  await expect.poll(() => filesOf(project), { timeout: 90_000 }).toMatchObject([{ filename: "patient.txt" }]);
  // Chromium logs the calls that failed while it was offline.
  owner.consoleErrors.splice(0);
});

test("shows a message in the dropzone if the session has ended", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const dropzone = await open(owner, project);
  await dropzone.waitFor();
  // The page reads again every ten seconds. A read that is refused first would open the sign-in page.
  await owner.page.route(/\/trpc\//, (route) =>
    route.request().method() === "GET" ? undefined : route.continue(),
  );
  await owner.context.clearCookies();
  await drop(owner, dropzone, await aFile("late.txt", "too late"));
  await dropzone.getByRole("listitem").getByText("Sign in first").waitFor();
  expect(await filesOf(project)).toEqual([]);
  expect(owner.consoleErrors.splice(0).join()).toContain("401");
});

test("shows accessible tabs at each width", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const dropzone = await open(owner, project);
  await dropzone.waitFor();
  const tabs = [
    ["helper", "Backend", "createStowage"],
    ["widget", "Frontend", "stowage cors apply --origin https://app.example.com"],
  ] as const;
  for (const [name, tab, text] of tabs) {
    await owner.page.getByRole("tab", { name: tab }).click();
    await owner.page.getByText(text).first().waitFor();
    await expectAccessible(owner.page, `quickstart-${name}`);
  }
  await owner.page.getByRole("tab", { name: "Backend" }).click();
  await owner.page.getByText("Next.js", { exact: true }).click();
  await owner.page.getByText("toNextHandlers(makeStowage)").waitFor();
});
