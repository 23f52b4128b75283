import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardClient } from "../fixtures/a-project.js";
import { totp } from "../fixtures/totp.js";
import { aDashboard, expectAccessible, expectConsoleErrors, PASSWORD } from "./fixtures/a-dashboard.js";
import { aNewService } from "./fixtures/a-new-service.js";

const dashboard = aDashboard();

test("leads to the set-up of two-step sign-in where the service requires it, and then to the page that was asked for", async () => {
  const service = await aNewService({ REQUIRE_TWO_FACTOR: "on" });
  const { page } = await dashboard.aVisitor();
  await page.goto(service.setupUrl);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();

  // Every page is the set-up now.
  const heading = page.getByRole("heading", { name: "Set up two-step sign-in" });
  await heading.waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await page.goto(`${service.url}/account`);
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await heading.waitFor();
  await page.waitForURL("**/account");
  expect(await page.getByRole("button", { name: /^Account of/ }).count()).toBe(0);
  await expectAccessible(page, "required-two-factor-password");
  await page.getByRole("textbox", { name: "Current password" }).focus();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  const secret = await page.locator("code").innerText();
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  await expectAccessible(page, "required-two-factor-app");
  await page.getByRole("textbox", { name: "Code" }).focus();
  await page.keyboard.type(totp(secret));
  await page.keyboard.press("Enter");
  await page.getByText("they are not shown again").waitFor();
  // The backup codes stay when the page asks again who is signed in.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await page.getByRole("button", { name: "I have saved the codes" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  await page.getByText("so it cannot be turned off").waitFor();
  expect(await page.getByRole("button", { name: "Turn off" }).count()).toBe(0);
  await page.getByRole("button", { name: "Replace backup codes" }).waitFor();
  await page.getByText("Turned on two-step sign-in").waitFor();

  // A person who joins with a new account sets it up too, and cannot join another project before that.
  const owner = dashboardClient(service.url, async () => ({ Cookie: await cookiesOf(page) }));
  const email = "grace@example.com";
  const invite = async (name: string) => {
    const { ref: projectRef } = await owner.projects.create.mutate({ name });
    return (await owner.members.invite.mutate({ projectRef, email, role: "viewer" })).url;
  };
  const [first, second] = [await invite("First"), await invite("Second")];
  const { page: other, consoleErrors } = await dashboard.aVisitor();
  await other.goto(first);
  await other.getByLabel("Name").fill("Grace Hopper");
  await other.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await other.getByRole("button", { name: "Create account and join" }).click();
  await other.getByRole("heading", { name: "Set up two-step sign-in" }).waitFor();
  await other.goto(second);
  await other.getByRole("button", { name: "Join project" }).click();
  await other.getByText("Set it up, then open the link again.").waitFor();
  expectConsoleErrors(consoleErrors, /403/);
  await expectAccessible(other, "invitation-two-factor-missing");
  await other.getByRole("link", { name: "Set up two-step sign-in" }).click();
  await other.getByRole("heading", { name: "Set up two-step sign-in" }).waitFor();
});

async function cookiesOf(page: Page): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
}
