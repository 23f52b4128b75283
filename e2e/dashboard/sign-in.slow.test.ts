import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { aDashboard, expectAccessible, expectConsoleErrors } from "./fixtures/a-dashboard.js";
import { aNewService } from "./fixtures/a-new-service.js";

const dashboard = aDashboard();
const PASSWORD = "correct horse battery";

test("creates the first operator with the link that the service printed", async () => {
  const service = await aNewService();
  const { page, consoleErrors } = await dashboard.aVisitor();
  await page.goto(service.url);
  await page.getByText("Stowage is not set up yet").waitFor();
  expect(consoleErrors.splice(0).join()).toContain("401");

  await page.goto(service.setupUrl);
  await page.getByRole("heading", { name: "Set up Stowage" }).waitFor();
  await page.waitForURL(`${service.url}/setup`); // the token has left the address bar
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("password must have at least 12 characters").waitFor();
  await expectAccessible(page, "setup");
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();

  await page.goto(service.setupUrl);
  await page.getByText("Stowage is already set up").waitFor();
});

test("refuses a wrong password with a message, signs in with the right one, and signs out", async () => {
  const { page, consoleErrors } = await dashboard.aVisitor();
  const { email, password } = inject("stowage").operator;
  await page.goto("/sign-in?to=//evil.example");
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("The e-mail address or the password is wrong").waitFor();
  await expectAccessible(page, "sign-in-refused");
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.waitForURL(`${dashboard.url}/`); // and not to another origin
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  await page.goto("/account");
  await page.waitForURL("**/sign-in?to=%2Faccount");
  expectConsoleErrors(consoleErrors, /401/);
});

test("sets a new password with the link of the command line", async () => {
  const owner = await dashboard.anOwner();
  const { page, consoleErrors, email } = await dashboard.aMember(
    owner,
    await dashboard.aProject(owner),
    "viewer",
  );
  const cli = createRequire(import.meta.url).resolve("@stowage/service/cli");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, "operator", "reset-password", email, "--json"],
    { env: { DATABASE_URL: inject("stowage").databaseUrl, DASHBOARD_URL: dashboard.url } },
  );
  const { url } = JSON.parse(stdout) as { url: string };
  await page.goto(url);
  await page.getByText(`For ${email}.`).waitFor();
  await page.waitForURL(`${dashboard.url}/reset`);
  await page.getByRole("textbox", { name: "New password" }).fill("short");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("password must have at least 12 characters").waitFor();
  await expectAccessible(page, "reset");
  await page.getByRole("textbox", { name: "New password" }).fill("another battery staple");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("Your password was changed.").waitFor();
  await page.getByRole("link", { name: "Go to sign-in" }).click();
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill("another battery staple");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: /^Account of/ }).waitFor();
  await page.goto(url);
  await page.getByText("The link is no longer valid").waitFor();
  await expectAccessible(page, "reset-over");
  expectConsoleErrors(consoleErrors, /403/);
});

test("judges an e-mail address as the service does, and says what is wrong with it", async () => {
  const { page, consoleErrors } = await dashboard.aVisitor();
  const { email, password } = inject("stowage").operator;
  await page.goto("/sign-in");
  const address = page.getByLabel("Email address");
  // A browser accepts this address, the service does not.
  await address.fill("operator@localhost");
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("email must be an e-mail address").waitFor();
  await expect.poll(() => address.evaluate((input) => input === document.activeElement)).toBe(true);
  await expectAccessible(page, "sign-in-address");
  await address.fill(` ${email.toUpperCase()} `);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: /^Account of/ }).waitFor();
  expect(consoleErrors).toEqual([]);
});
