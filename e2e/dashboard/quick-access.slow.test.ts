import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { uploadsTo } from "./fixtures/uploads.js";

const dashboard = aDashboard();

const palette = (page: Page) => page.getByRole("combobox", { name: /^Search pages/ });
/** Presses the shortcut when the palette of the step before is gone: inside of a dialog it does nothing. */
async function openPalette(page: Page): Promise<void> {
  await palette(page).waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
}
/** Types a text in one task of the page, so that no timer ends between two letters. */
const typeAtOnce = (field: Locator, text: string) =>
  field.evaluate((input, letters) => {
    input.focus();
    for (const letter of letters) document.execCommand("insertText", false, letter);
  }, text);
const activeOption = (page: Page) => page.getByRole("option", { selected: true });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.id);

test("Ctrl+K finds tenants, files, projects and pages by keyboard", async () => {
  const owner = await dashboard.anOwner();
  const [project, other] = [await dashboard.aProject(owner), await dashboard.aProject(owner)];
  await uploadsTo(dashboard.url, project).store({ filename: "quarterly.txt", bytes: "a", tenantId: "acme" });
  const { page } = owner;
  await page.goto(`/projects/${project.ref}/settings`);
  const name = page.getByRole("textbox", { name: "Name" });
  await name.focus();
  await page.keyboard.press("Control+k");
  // What is typed before the palette is there must not change the form behind it.
  await page.keyboard.type("x");
  await palette(page).fill("ACM");
  expect(await name.inputValue()).toBe(project.name);
  await expect.poll(() => activeOption(page).innerText()).toMatch(/^acme/);
  const active = await palette(page).getAttribute("aria-activedescendant");
  expect(await activeOption(page).getAttribute("id")).toBe(active);
  await expectAccessible(page, "palette");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/tenants/acme");
  await expect.poll(() => focused(page)).toBe("content");

  await openPalette(page);
  await palette(page).fill("quarterly");
  await page.getByRole("option", { name: /^quarterly\.txt/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Escape");
  await expect.poll(() => palette(page).count()).toBe(0);
  await page.getByRole("button", { name: /^Search/ }).click();
  await palette(page).fill("quarterly");
  await page.getByRole("option", { name: /^quarterly\.txt/ }).click();
  await page.getByRole("heading", { name: "quarterly.txt" }).waitFor();

  await openPalette(page);
  await palette(page).fill(other.name);
  await page.getByRole("option", { name: `${other.name} Owner` }).click();
  await page.waitForURL(`**/projects/${other.ref}`);
  await openPalette(page);
  await palette(page).fill("nothing has this name");
  // The whole lists of tenants and files can still be searched.
  await page.getByRole("option", { name: /^Search all files for/ }).click();
  await page.waitForURL(/files\?q=nothing/);
});

test("the palette searches once for a text that is typed at once, and respects roles and projects", async () => {
  const owner = await dashboard.anOwner();
  const [project, hidden] = [await dashboard.aProject(owner), await dashboard.aProject(owner)];
  const { page } = await dashboard.aMember(owner, project, "viewer");
  const searches: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("tenants.list")) searches.push(decodeURIComponent(request.url()));
  });
  await page.goto(`/projects/${project.ref}`);
  await page.getByRole("heading", { name: "Connect your product" }).waitFor();
  await page.keyboard.press("Control+k");
  await typeAtOnce(palette(page), hidden.name);
  await page.getByRole("option", { name: /^Search all tenants/ }).waitFor();
  await expect.poll(() => searches.length).toBe(1);
  expect(await page.getByRole("option", { name: new RegExp(`^${hidden.name}`) }).count()).toBe(0);
  await palette(page).fill("e");
  await page.getByRole("option", { name: "Overview" }).waitFor();
  for (const page_ of ["Settings", "Operators", "Health of the installation"])
    expect(await page.getByRole("option", { name: page_ }).count()).toBe(0);
});

test("the project switcher opens the same page of another project", async () => {
  const owner = await dashboard.anOwner();
  const [project, other] = [await dashboard.aProject(owner), await dashboard.aProject(owner)];
  const { page } = owner;
  await page.goto(`/projects/${project.ref}/tenants`);
  const button = page.getByRole("button", { name: `${project.name}: switch project` });
  await button.press("Enter");
  const field = page.getByRole("combobox", { name: "Find a project" });
  // The list is loaded after the popover has opened.
  await expect.poll(() => focused(page)).toBe("Find a project");
  await page.keyboard.insertText(other.name.toUpperCase());
  await expect.poll(() => activeOption(page).innerText()).toContain(other.name);
  await expectAccessible(page, "project-switcher");
  await field.press("Enter");
  await page.waitForURL(`**/projects/${other.ref}/tenants`);
  await expect.poll(() => focused(page)).toBe(`${other.name}: switch project`);
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("Find a project");
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe(`${other.name}: switch project`);
});

test("/ focuses the page's search and ? lists the shortcuts, unless an operator types or has turned them off", async () => {
  const owner = await dashboard.anOwner();
  const { page } = owner;
  await page.goto("/");
  const search = page.getByRole("searchbox", { name: "Search by name" });
  await search.waitFor();
  await page.keyboard.press("/");
  await expect.poll(() => focused(page)).toBe("Search by name");
  await page.keyboard.type("a/?");
  expect(await search.inputValue()).toBe("a/?");
  await search.blur();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByText("Go to the search field of the page").waitFor();
  await expectAccessible(page, "shortcuts");
  await dialog.getByRole("switch", { name: "Shortcuts of a single key" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await palette(page).waitFor();
  expect(await dialog.count()).toBe(0);
});
