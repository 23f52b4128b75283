import { expect, test } from "vitest";
import { aDashboard, expectAccessible, PASSWORD, type Person } from "./fixtures/a-dashboard.js";

const dashboard = aDashboard();

/** A visitor whose browser has this User-Agent. */
async function aBrowser(userAgent: string): Promise<Person> {
  const person = await dashboard.aVisitor();
  await person.context.setExtraHTTPHeaders({ "User-Agent": userAgent, "X-Forwarded-For": "192.0.2.7" });
  return person;
}

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1";

test("lists the operator's sessions, and ends one or all others by keyboard", async () => {
  const owner = await dashboard.anOwner();
  const me = await dashboard.aMember(owner, await dashboard.aProject(owner), "viewer");
  const others = [await aBrowser(FIREFOX), await aBrowser(IPHONE), await aBrowser(IPHONE)];
  for (const { context } of others) await dashboard.signIn(context, { email: me.email, password: PASSWORD });
  const { page } = me;
  await page.goto("/account");
  const list = page.getByRole("region", { name: "Sessions" });
  const rows = list.getByRole("row");
  await list.getByText("Firefox on Linux").first().waitFor();
  expect(await rows.count()).toBe(1 + 4);
  expect(await rows.filter({ hasText: "This session" }).innerText()).toContain("Chrome on Linux");
  expect(await rows.filter({ hasText: "Firefox on Linux" }).innerText()).toMatch(
    /192\.0\.2\.7[^]*now[^]*now/,
  );
  expect(await rows.filter({ hasText: "Safari on iOS" }).count()).toBe(2);
  // The current session ends with "Sign out" only.
  expect(await rows.filter({ hasText: "This session" }).getByRole("button").count()).toBe(0);
  await page.getByText("Joined as viewer").waitFor();
  await expectAccessible(page, "account-sessions");

  await list.getByRole("button", { name: "End session: Firefox on Linux" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("The session has ended.").waitFor();
  await rows.filter({ hasText: "Firefox on Linux" }).waitFor({ state: "detached" });
  await expect(others[0]!.calls.session.me.query()).rejects.toThrow("Sign in first");
  expect((await others[1]!.calls.session.me.query()).email).toBe(me.email);
  await page.getByText("Ended a session: Firefox on Linux").waitFor();
  // The focus has not been lost with the button: the next Tab reaches the list.
  await page.keyboard.press("Tab");
  await expect.poll(() => list.evaluate((region) => region.contains(document.activeElement))).toBe(true);

  await list.getByRole("button", { name: "End all other sessions" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "End all other sessions" });
  await dialog.getByText("You stay signed in here").waitFor();
  await expectAccessible(page, "account-end-sessions");
  await dialog.getByRole("button", { name: "End sessions" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("2 sessions have ended.").waitFor();
  await list.getByRole("button", { name: "End all other sessions" }).waitFor({ state: "detached" });
  for (const { calls } of others) await expect(calls.session.me.query()).rejects.toThrow("Sign in first");
  expect((await me.calls.session.me.query()).email).toBe(me.email);
  await expect.poll(() => rows.count()).toBe(1 + 1);
});

test("an ended session opens the sign-in page with the next call", async () => {
  const owner = await dashboard.anOwner();
  const me = await dashboard.aMember(owner, await dashboard.aProject(owner), "viewer");
  const other = await aBrowser(FIREFOX);
  await dashboard.signIn(other.context, { email: me.email, password: PASSWORD });
  await other.page.goto("/account");
  await other.page.getByText("Joined as viewer").waitFor();
  await me.calls.session.endOthers.mutate();
  await other.page.getByRole("button", { name: "End all other sessions" }).click();
  await other.page.getByRole("button", { name: "End sessions" }).click();
  await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(other.page.url()).search).toBe("?to=%2Faccount");
});

test("an administrator ends all sessions of another operator", async () => {
  const admin = await dashboard.anOwner();
  const user = await dashboard.aMember(admin, await dashboard.aProject(admin), "viewer");
  await admin.page.goto(`/operators?q=${encodeURIComponent(user.email)}`);
  await admin.page.getByText(user.email).waitFor();
  await admin.page.getByRole("button", { name: "End all sessions of Grace Hopper" }).focus();
  await admin.page.keyboard.press("Enter");
  const dialog = admin.page.getByRole("dialog", { name: "End all sessions of Grace Hopper" });
  await dialog.getByText(`${user.email} is signed out of all browsers`).waitFor();
  await expectAccessible(admin.page, "operators-end-sessions");
  expect((await user.calls.session.me.query()).email).toBe(user.email);
  await dialog.getByRole("button", { name: "End sessions" }).focus();
  await admin.page.keyboard.press("Enter");
  await admin.page.getByText("1 session has ended.").waitFor();
  await expect(user.calls.session.me.query()).rejects.toThrow("Sign in first");
});
