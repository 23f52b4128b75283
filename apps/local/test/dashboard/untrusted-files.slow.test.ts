import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible, type Person } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const SCRIPT = "window.top.wasHere = true; document.title = 'wasHere'; console.error('script ran');";

/** A project's list with one file of a stranger in it. */
async function aStrangersFile(
  owner: Person,
  upload: { filename: string; contentType?: string; bytes?: string },
) {
  const project = await dashboard.aProject(owner);
  await uploadsTo(dashboard.url, project).store({ tenantId: "eve", ...upload });
  await owner.page.goto(`/projects/${project.ref}/files`);
  await owner.page.getByRole("table", { name: "Files" }).locator("tbody a").first().click();
  await owner.page.getByRole("region", { name: "Details" }).waitFor();
  return project;
}

const wasHere = (page: Page) => page.evaluate(() => "wasHere" in window || document.title === "wasHere");

test.each([
  ["page.html", "text/html", `<script>${SCRIPT}</script>`],
  [
    "drawing.svg",
    "image/svg+xml",
    `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`,
  ],
  ["claims.png", "image/png", `<html><script>${SCRIPT}</script></html>`],
  ["claims.pdf", "application/pdf", `<html><script>${SCRIPT}</script></html>`],
])("%s with a script in it is never run, nor shown as what it is", async (filename, contentType, bytes) => {
  const owner = await dashboard.anOwner();
  const { page, consoleErrors } = owner;
  await page.addInitScript("Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true })");
  const answers: string[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).origin !== dashboard.url)
      answers.push(`${response.headers()["content-type"]} ${response.headers()["content-disposition"]}`);
  });
  await aStrangersFile(owner, { filename, contentType, bytes });
  const preview = page.getByRole("region", { name: "Preview" });
  if (filename.startsWith("claims")) await preview.getByText("cannot be shown", { exact: false }).waitFor();
  else await preview.getByText("have no preview", { exact: false }).waitFor();
  // What its own address answers is of no type that runs.
  const begun = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  await (await begun).path();
  expect(new URL(page.url()).origin).toBe(new URL(dashboard.url).origin);
  expect(await wasHere(page)).toBe(false);
  expect(answers.filter((answer) => /html|svg|xml/.test(answer.split(" ")[0]!))).toEqual([]);
  expect(consoleErrors).toEqual([]);
});

test.each([
  ["<img src=x onerror=alert(1)>.png", "<img src=x onerror=alert(1)>.png"],
  ["bill\u202Egnp.exe", "bill\uFFFDgnp.exe"],
  ["שלום עולם.txt", "שלום עולם.txt"],
  [`${"w".repeat(251)}.txt`, `${"w".repeat(251)}.txt`],
])("a name like %j is text, and nothing in it is hidden", async (filename, shown) => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  page.on("dialog", () => owner.consoleErrors.push("a dialog opened"));
  const project = await aStrangersFile(owner, { filename });
  await page.getByRole("heading", { level: 1, name: shown, exact: true }).waitFor();
  expect(await page.title()).toContain(shown);
  if (filename.length > 200) await expectAccessible(page, "file-long-name");
  await page.goto(`/projects/${project.ref}/files`);
  await page.getByRole("link", { name: shown, exact: true }).waitFor();
  expect(await page.locator("img[src=x]").count()).toBe(0);
  if (filename.length > 200) await expectAccessible(page, "files-long-name");
});
