import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";
import { findSecret, recordResponses } from "./fixtures/find-secret.js";
import { uploadStatus } from "./fixtures/uploads.js";

const dashboard = aDashboard();
const keyField = (page: Page) => page.getByRole("textbox", { name: "API key" });

test("replaces the key after the project's name is typed: the old key stops working, and the new one is shown once", async () => {
  const owner = await dashboard.anOwner();
  const { page, context } = owner;
  const project = await dashboard.aProject(owner);
  await page.goto(`/projects/${project.ref}/key`);
  await page.getByText(`${project.apiKey.slice(0, 10)}`).waitFor();
  await page.getByText(project.apiKey.slice(-4)).waitFor();
  await page.getByText("Never", { exact: true }).waitFor();
  expect(await page.content()).not.toContain(project.apiKey);
  await expectAccessible(page, "key");

  await page.getByRole("button", { name: "Regenerate key" }).click();
  const dialog = page.getByRole("dialog", { name: "Regenerate the key?" });
  await dialog.getByText("The old key stops working immediately").waitFor();
  await expectAccessible(page, "key-regenerate-dialog");
  const confirm = dialog.getByRole("button", { name: "Regenerate now" });
  await dialog.getByRole("textbox").fill("another name");
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill(project.name);
  expect(await uploadStatus(dashboard.url, project.apiKey)).toBe(200);
  await confirm.click();
  const apiKey = await keyField(page).inputValue();
  expect(apiKey).not.toBe(project.apiKey);
  expect(await uploadStatus(dashboard.url, project.apiKey)).toBe(401);
  expect(await uploadStatus(dashboard.url, apiKey)).toBe(200);
  await page.keyboard.press("Escape");
  expect(await keyField(page).inputValue()).toBe(apiKey);

  const later = recordResponses(context);
  await page.getByRole("button", { name: "I have saved the key" }).click();
  await page.getByRole("main").getByText(apiKey.slice(-4)).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Regenerate key");
  // Each look takes a snapshot of the page's memory.
  await expect.poll(() => findSecret(page, apiKey), { timeout: 90_000 }).toEqual([]);
  expect(await later.containing(apiKey)).toEqual([]);
});

test("keeps showing a new key when the session ends, and goes to sign-in after it was stored", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page, context } = owner;
  await page.goto(`/projects/${project.ref}/key`);
  await page.getByRole("button", { name: "Regenerate key" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill(project.name);
  await page.getByRole("button", { name: "Regenerate now" }).click();
  const apiKey = await keyField(page).inputValue();
  await context.clearCookies();
  let wasRefused = false;
  page.on("response", (answer) => (wasRefused ||= answer.status() === 401));
  // The page reloads its data when it becomes visible again.
  const becomeVisible = () => page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect.poll(() => becomeVisible().then(() => wasRefused), { timeout: 90_000 }).toBe(true);
  expect(await keyField(page).inputValue()).toBe(apiKey);
  await page.getByRole("button", { name: "I have saved the key" }).click();
  await page.waitForURL(/\/sign-in\?to=/);
  expect(owner.consoleErrors.splice(0).join()).toContain("401");
});

test("shows members who are not owners why they cannot replace the key", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page } = await dashboard.aMember(owner, project, "member");
  await page.goto(`/projects/${project.ref}/key`);
  await page.getByText("Only owners of the project can regenerate its key.").waitFor();
  expect(await page.getByRole("button", { name: "Regenerate key" }).isDisabled()).toBe(true);
});
