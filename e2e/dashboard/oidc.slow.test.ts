import { freePort } from "@stowage/dev-postgres";
import { startProvider } from "@stowage/oidc-provider";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dashboardClient } from "../fixtures/a-project.js";
import { aDashboard, expectAccessible, expectConsoleErrors } from "./fixtures/a-dashboard.js";
import { aNewService } from "./fixtures/a-new-service.js";

const dashboard = aDashboard();

test("sets up, signs in, invites and refuses people by the provider's pages, where passwords are off", async () => {
  const port = await freePort();
  const address = `http://localhost:${port}/stowage`;
  const provider = await startProvider({ redirectUri: `${address}/auth/callback/oidc` });
  const people = { ada: "Ada Lovelace", grace: "Grace Hopper", eve: "Eve" };
  for (const [login, name] of Object.entries(people)) {
    provider.accounts.set(login, { email: `${login}@example.com`, email_verified: true, name });
  }
  const service = await aNewService({
    PORT: String(port),
    DASHBOARD_URL: address,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: "Example Login",
    PASSWORD_SIGN_IN: "off",
  });
  const { page, consoleErrors } = await dashboard.aVisitor();
  const next = (on: Page) => on.getByRole("button", { name: "Continue with Example Login" });

  await page.goto(service.setupUrl);
  await next(page).waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);
  await expectAccessible(page, "oidc-setup");
  await next(page).click();
  await passProvider(page, "ada");
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();
  expect(page.url()).toBe(`${address}/`);

  await page.goto(`${address}/account`);
  await page.getByText("It is the only way to sign in to this account.").waitFor();
  await expectAccessible(page, "oidc-account");
  const owner = dashboardClient(address, async () => ({ Cookie: await cookiesOf(page) }));
  const { ref: projectRef } = await owner.projects.create.mutate({ name: "First" });
  const invitation = await owner.members.invite.mutate({
    projectRef,
    email: "grace@example.com",
    role: "viewer",
  });

  const { page: other, consoleErrors: otherErrors } = await dashboard.aVisitor();
  await other.goto(invitation.url);
  await next(other).waitFor();
  await expectAccessible(other, "oidc-invitation");
  await next(other).click();
  await passProvider(other, "grace");
  await other.getByRole("button", { name: "Account of Grace Hopper" }).waitFor();
  await other.waitForURL(`${address}/projects/${projectRef}`);

  // A person of the provider without an invitation, with the keyboard.
  const { page: stranger, consoleErrors: strangerErrors } = await dashboard.aVisitor();
  await stranger.goto(`${address}/account`);
  await next(stranger).focus();
  await stranger.keyboard.press("Enter");
  await passProvider(stranger, "eve");
  const alert = stranger.getByRole("alert").filter({ hasText: "There is no account for you here" });
  await alert.waitFor();
  await expect.poll(() => alert.evaluate((element) => element === document.activeElement)).toBe(true);
  await expectAccessible(stranger, "oidc-refused");
  await stranger.setViewportSize({ width: 320, height: 640 });
  expect(await stranger.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await stranger.getByRole("button", { name: "Use a password" }).click();
  await stranger.getByText("Passwords work only for accounts with an exception.").waitFor();
  await provider.close();
  expect([...consoleErrors, ...otherErrors]).toEqual([]);
  expectConsoleErrors(strangerErrors, /401/);
});

/** The provider's own pages: a login, and then the consent. */
async function passProvider(page: Page, login: string): Promise<void> {
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.locator("input[value=consent]").waitFor({ state: "attached" });
  await page.locator("button[type=submit]").click();
}

async function cookiesOf(page: Page): Promise<string> {
  return (await page.context().cookies(page.url())).map(({ name, value }) => `${name}=${value}`).join("; ");
}
