import type { BrowserContext } from "playwright-core";
import { expect, test } from "vitest";
import { totp } from "../fixtures/totp.js";
import { aDashboard, expectAccessible, expectConsoleErrors, PASSWORD } from "./fixtures/a-dashboard.js";

const dashboard = aDashboard();

test("sets up two-step sign-in after a valid code of the authenticator app", async () => {
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
  expectConsoleErrors(consoleErrors, /40[01]/);
});

test("asks for a code of the app or a backup code at each sign-in until two-step sign-in is turned off", async () => {
  const owner = await dashboard.anOwner();
  const { page, context, email } = await dashboard.aMember(owner, await dashboard.aProject(owner), "viewer");
  const { secret, backupCodes } = await turnOnTwoFactor(context);
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
      // The current code turned two-step sign-in on, and each code works once.
      await page.getByRole("textbox", { name: "Code" }).fill(totp(secret, 1));
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

test("asks for the password again after several wrong codes, and then tells the user to wait", async () => {
  const owner = await dashboard.anOwner();
  const { page, context, email, consoleErrors } = await dashboard.aMember(
    owner,
    await dashboard.aProject(owner),
    "viewer",
  );
  await turnOnTwoFactor(context);
  await context.clearCookies();
  await page.goto("/sign-in?to=/account");
  const code = page.getByRole("textbox", { name: "Code", exact: true });
  const again = page.getByText("Too many wrong codes. Enter your password again.");
  const enterPassword = async () => {
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await code.fill("000000");
  };
  /** Submits wrong codes. @returns the status of each response */
  const submitCodes = async (count: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) {
      const response = page.waitForResponse("**/auth/two-factor/verify-totp");
      await page.getByRole("button", { name: "Continue" }).click();
      statuses.push((await response).status());
    }
    return statuses;
  };
  await enterPassword();
  expect(await submitCodes(6)).toEqual([401, 401, 401, 401, 401, 400]);
  await again.waitFor();
  await enterPassword();
  await expect.poll(() => again.count()).toBe(0);
  // Ten attempts a minute are allowed, and seven are used: the code that turned on two-step sign-in and the six above.
  expect(await submitCodes(4)).toEqual([401, 401, 401, 429]);
  await page.getByText(/^Too many attempts\. Try again in \d+ (second|minute)s?\.$/).waitFor();
  await expectAccessible(page, "sign-in-wait");
  expectConsoleErrors(consoleErrors, /40[01]|429/);
});

test("signs out all other browsers after a change of the password", async () => {
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

/** Turns on two-step sign-in for the session of the browser context. */
async function turnOnTwoFactor(context: BrowserContext): Promise<{ secret: string; backupCodes: string[] }> {
  const { totpURI, backupCodes } = await post<{ totpURI: string; backupCodes: string[] }>(
    context,
    "two-factor/enable",
    { password: PASSWORD },
  );
  const secret = new URL(totpURI).searchParams.get("secret")!;
  await post(context, "two-factor/verify-totp", { code: totp(secret) });
  return { secret, backupCodes };
}

/** Calls `POST /auth/…` with the session of the browser context. */
async function post<Answer>(context: BrowserContext, call: string, data: object): Promise<Answer> {
  const response = await context.request.post(`${dashboard.url}/auth/${call}`, {
    data,
    headers: { Origin: dashboard.url },
  });
  return (await response.json()) as Answer;
}
