import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible, type Person } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const SCRIPT = "window.top.scriptRan = true; document.title = 'scriptRan'; console.error('script ran');";

/** Opens the page of an uploaded file with untrusted content or name. */
async function anUntrustedFile(
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

const scriptRan = (page: Page) =>
  page.evaluate(() => "scriptRan" in window || document.title === "scriptRan");

test.each([
  ["page.html", "text/html", `<script>${SCRIPT}</script>`],
  [
    "drawing.svg",
    "image/svg+xml",
    `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`,
  ],
  ["claims.png", "image/png", `<html><script>${SCRIPT}</script></html>`],
  ["claims.pdf", "application/pdf", `<html><script>${SCRIPT}</script></html>`],
])(
  "never runs the script in %s, and never shows the file in the dashboard's origin",
  async (filename, contentType, bytes) => {
    const owner = await dashboard.anOwner();
    const { page, consoleErrors } = owner;
    await page.addInitScript("Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true })");
    const responses: string[] = [];
    page.on("response", (response) => {
      if (new URL(response.url()).origin !== dashboard.url)
        responses.push(`${response.headers()["content-type"]} ${response.headers()["content-disposition"]}`);
    });
    await anUntrustedFile(owner, { filename, contentType, bytes });
    const preview = page.getByRole("region", { name: "Preview" });
    if (filename.startsWith("claims")) await preview.getByText("cannot be shown", { exact: false }).waitFor();
    else await preview.getByText("have no preview", { exact: false }).waitFor();
    // The download must not have a type that runs scripts.
    const begun = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    await (await begun).path();
    expect(new URL(page.url()).origin).toBe(new URL(dashboard.url).origin);
    expect(await scriptRan(page)).toBe(false);
    expect(responses.filter((response) => /html|svg|xml/.test(response.split(" ")[0]!))).toEqual([]);
    expect(consoleErrors).toEqual([]);
  },
);

test.each([
  ["<img src=x onerror=alert(1)>.png", "<img src=x onerror=alert(1)>.png"],
  ["bill\u202Egnp.exe", "bill\uFFFDgnp.exe"],
  ["שלום עולם.txt", "שלום עולם.txt"],
  [`${"w".repeat(251)}.txt`, `${"w".repeat(251)}.txt`],
])("shows the name %j as text without hidden characters", async (filename, shown) => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  page.on("dialog", () => owner.consoleErrors.push("a dialog opened"));
  const project = await anUntrustedFile(owner, { filename });
  await page.getByRole("heading", { level: 1, name: shown, exact: true }).waitFor();
  await expect.poll(() => page.title()).toContain(shown);
  if (filename.length > 200) await expectAccessible(page, "file-long-name");
  await page.goto(`/projects/${project.ref}/files`);
  await page.getByRole("link", { name: shown, exact: true }).waitFor();
  expect(await page.locator("img[src=x]").count()).toBe(0);
  if (filename.length > 200) await expectAccessible(page, "files-long-name");
});
