import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { totp } from "../fixtures/totp.js";
import { aDashboard, expectAccessible, PASSWORD } from "./fixtures/a-dashboard.js";

const dashboard = aDashboard();

test("two-step sign-in is set up with an app, which shows a right code before it counts", async () => {
  const owner = await dashboard.anOwner();
  const { page, consoleErrors } = await dashboard.aMember(owner, await dashboard.aProject(owner), "viewer");
  await page.goto("/account");
  await page.getByText("Joined as viewer").waitFor();
  await expectAccessible(page, "account");
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Current password" }).fill("wrong");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByText("The password is wrong").waitFor();
  await dialog.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const secret = await dialog.locator("code").innerText();
  await expectAccessible(page, "account-two-factor-app");
  await dialog.getByRole("textbox", { name: "Code" }).fill("000000");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByText("The code is wrong").waitFor();
  await dialog.getByRole("textbox", { name: "Code" }).fill(totp(secret));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await dialog.getByText("they are not shown again").waitFor();
  const backupCodes = await dialog.locator("pre").allInnerTexts();
  expect(backupCodes).toHaveLength(10);
  await expectAccessible(page, "account-backup-codes");
  await dialog.getByRole("button", { name: "I have saved the codes" }).click();
  await page.getByText("Turned on two-step sign-in").waitFor();
  expect(consoleErrors.splice(0).every((line) => /40[01]/.test(line))).toBe(true);
});

test("with two-step sign-in the app's code or a backup code is asked for, until it is turned off", async () => {
  const owner = await dashboard.anOwner();
  const { page, context, email } = await dashboard.aMember(owner, await dashboard.aProject(owner), "viewer");
  const { secret, backupCodes } = await turnOn(context);
  await page.goto("/account");
  const dialog = page.getByRole("dialog");
  for (const step of ["app", "backup code"]) {
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    await page.goto("/sign-in?to=/account");
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("textbox", { name: "Code", exact: true }).waitFor();
    if (step === "app") {
      await expectAccessible(page, "sign-in-code");
      await page.getByRole("textbox", { name: "Code" }).fill(totp(secret));
    } else {
      await page.getByRole("button", { name: "Use a backup code" }).click();
      await page.getByRole("textbox", { name: "Backup code" }).fill(backupCodes[0]!);
    }
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/account");
    await page.getByRole("heading", { name: "Account" }).waitFor();
  }
  await page.getByRole("button", { name: "Replace backup codes" }).click();
  await dialog.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Generate codes" }).click();
  await dialog.getByText("they are not shown again").waitFor();
  const newCodes = await dialog.locator("pre").allInnerTexts();
  expect(newCodes).toHaveLength(10);
  expect(newCodes.some((code) => backupCodes.includes(code))).toBe(false);
  await dialog.getByRole("button", { name: "I have saved the codes" }).click();
  await page.getByRole("button", { name: "Turn off" }).click();
  await dialog.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
  await expectAccessible(page, "account-turn-off");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("button", { name: "Set up" }).waitFor();
});

test("who gives wrong codes is told what helps: the password again, and then to wait", async () => {
  const owner = await dashboard.anOwner();
  const { page, context, email, consoleErrors } = await dashboard.aMember(
    owner,
    await dashboard.aProject(owner),
    "viewer",
  );
  await turnOn(context);
  await context.clearCookies();
  await page.goto("/sign-in?to=/account");
  const code = page.getByRole("textbox", { name: "Code", exact: true });
  const again = page.getByText("Too many wrong codes. Enter your password again.");
  const givePassword = async () => {
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await code.fill("000000");
  };
  const tryIt = async () => {
    const answered = page.waitForResponse("**/auth/two-factor/verify-totp");
    await page.getByRole("button", { name: "Continue" }).click();
    await answered;
  };
  await givePassword();
  for (let tries = 0; tries < 6; tries++) await tryIt();
  await again.waitFor();
  await givePassword();
  expect(await again.count()).toBe(0);
  // What is left of ten tries a minute: one was the code that turned it on.
  for (let tries = 0; tries < 4; tries++) await tryIt();
  await page.getByText(/^Too many attempts\. Try again in \d+ (second|minute)s?\.$/).waitFor();
  await expectAccessible(page, "sign-in-wait");
  expect(consoleErrors.splice(0).every((line) => /40[01]|429/.test(line))).toBe(true);
});

test("a changed password signs out every other browser, and this one stays", async () => {
  const owner = await dashboard.anOwner();
  const { page, context, email, calls, consoleErrors } = await dashboard.aMember(
    owner,
    await dashboard.aProject(owner),
    "viewer",
  );
  const elsewhere = await dashboard.aVisitor();
  await dashboard.signIn(elsewhere.context, { email, password: PASSWORD });
  await page.goto("/account");
  await page.getByRole("textbox", { name: "Current password" }).fill("wrong");
  await page.getByRole("textbox", { name: "New password" }).fill("short");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("password must have at least 12 characters").waitFor();
  await page.getByRole("textbox", { name: "New password" }).fill("another battery staple");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The password is wrong").waitFor();
  expect(consoleErrors.splice(0).join()).toContain("400");
  await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Your password was changed.").waitFor();
  expect((await calls.session.me.query()).email).toBe(email);
  await expect(elsewhere.calls.session.me.query()).rejects.toThrow("Sign in first");
  await dashboard.signIn(context, { email, password: "another battery staple" });
});

/** Two-step sign-in for whoever is signed in there, without the pages. */
async function turnOn(context: BrowserContext): Promise<{ secret: string; backupCodes: string[] }> {
  const { totpURI, backupCodes } = await post<{ totpURI: string; backupCodes: string[] }>(
    context,
    "two-factor/enable",
    { password: PASSWORD },
  );
  const secret = new URL(totpURI).searchParams.get("secret")!;
  await post(context, "two-factor/verify-totp", { code: totp(secret) });
  return { secret, backupCodes };
}

/** `POST /auth/…` as whoever is signed in there. */
async function post<Answer>(context: BrowserContext, call: string, data: object): Promise<Answer> {
  const answer = await context.request.post(`${dashboard.url}/auth/${call}`, {
    data,
    headers: { Origin: dashboard.url },
  });
  return (await answer.json()) as Answer;
}
