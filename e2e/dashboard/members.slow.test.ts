import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { aDashboard, expectAccessible, PASSWORD, type Person } from "./fixtures/a-dashboard.js";

const dashboard = aDashboard();

async function invite({ page }: Person, email: string, role: string): Promise<string> {
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email address").fill(email);
  await dialog.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: role }).click();
  await dialog.getByRole("button", { name: "Create link" }).click();
  await dialog.getByText("is not shown again").waitFor();
  return dialog.locator("pre").innerText();
}

test("invites a new person, who joins in another browser, and the link works once", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  await owner.page.goto(`/projects/${project.ref}/members`);
  await owner.page.getByRole("button", { name: "Invite member" }).click();
  await owner.page.getByLabel("Email address").fill("nobody@example.com");
  await owner.page.getByRole("button", { name: "Cancel" }).click();
  await owner.page.getByRole("dialog").waitFor({ state: "detached" });
  const email = `p${randomBytes(6).toString("hex")}@example.com`;
  const link = await invite(owner, email, "Viewer");
  expect(link).toMatch(new RegExp(`^${dashboard.url}/invitation#[\\w-]{43}$`));
  await expectAccessible(owner.page, "members-invited");
  await owner.page.getByRole("button", { name: "Done" }).click();
  await owner.page.getByRole("button", { name: `Revoke the invitation for ${email}` }).waitFor();
  await expectAccessible(owner.page, "members");

  const guest = await dashboard.aVisitor();
  await guest.page.goto(link);
  await guest.page.getByText(`invited you to join ${project.name} as a viewer.`).waitFor();
  await guest.page.waitForURL(`${dashboard.url}/invitation`);
  await expectAccessible(guest.page, "invitation-new");
  await guest.page.getByLabel("Name").fill("Grace Hopper");
  await guest.page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await guest.page.getByRole("button", { name: "Create account and join" }).click();
  await guest.page.waitForURL(`**/projects/${project.ref}`);
  await guest.page.goto(link);
  await guest.page.getByText("It was used or revoked, or it expired after a week").waitFor();
  expect(guest.consoleErrors.splice(0).join()).toContain("404");
});

test("shows viewers the members without changes, and lets owners change roles and remove members", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const guest = await dashboard.aMember(owner, project, "viewer");
  await guest.page.goto(`/projects/${project.ref}/members`);
  await guest.page.getByText("Only owners can change the members of the project.").waitFor();
  const seen = guest.page.getByRole("table", { name: "Members" });
  await seen.getByText("Grace Hopper (you)").waitFor();
  expect(await guest.page.getByRole("button", { name: /Invite|Remove|Leave/ }).count()).toBe(0);
  expect(await seen.getByRole("combobox").count()).toBe(0);
  await expectAccessible(guest.page, "members-of-a-viewer");

  await owner.page.goto(`/projects/${project.ref}/members`);
  const table = owner.page.getByRole("table", { name: "Members" });
  await table.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
  await owner.page.getByRole("option", { name: "Owner" }).click();
  await owner.page.getByText("The role of Grace Hopper is now owner.").waitFor();
  await table.getByRole("button", { name: "Remove Grace Hopper" }).click();
  await owner.page.getByRole("dialog").getByText("They lose access to this project immediately").waitFor();
  await expectAccessible(owner.page, "members-remove");
  await owner.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await owner.page.getByText("Grace Hopper was removed from the project.").waitFor();
  await expect.poll(() => table.getByText("Grace Hopper").count()).toBe(0);
});

test("explains why the only owner cannot leave or change role, and lets owners revoke an invitation", async () => {
  const owner = await dashboard.anOwner();
  const project = await dashboard.aProject(owner);
  const { page } = owner;
  await page.goto(`/projects/${project.ref}/members`);
  const leave = page.getByRole("button", { name: "Leave" });
  const role = page.getByRole("combobox", { name: /^Role of/ });
  await role.waitFor();
  await leave.focus();
  const reason = page.getByRole("tooltip").getByText("A project needs at least one owner");
  await reason.waitFor();
  await page.keyboard.press("Enter");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.keyboard.press("Shift+Tab");
  await expect.poll(() => role.evaluate((input) => input === document.activeElement)).toBe(true);
  // The tooltip of the button disappears with a delay.
  await expect.poll(() => reason.count()).toBe(1);
  for (const control of [role, leave])
    expect(await control.getAttribute("aria-description")).toContain("A project needs at least one owner");
  await page.keyboard.press("ArrowDown");
  await role.click({ force: true });
  expect(await page.getByRole("option").count()).toBe(0);
  expect(await role.isDisabled()).toBe(true);

  const email = `p${randomBytes(6).toString("hex")}@example.com`;
  await invite(owner, email, "Owner");
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: `Revoke the invitation for ${email}` }).click();
  await page.getByText(`The invitation for ${email} was revoked.`).waitFor();
  await expect.poll(() => page.getByRole("table", { name: "Open invitations" }).count()).toBe(0);
});

test("lets a person with an account join after sign-in, and warns about a session of another account", async () => {
  const owner = await dashboard.anOwner();
  const first = await dashboard.aProject(owner);
  const second = await dashboard.aProject(owner);
  const { email } = await dashboard.aMember(owner, first, "viewer");
  const { url } = await owner.calls.members.invite.mutate({ projectRef: second.ref, email, role: "member" });

  const other = await dashboard.aMember(owner, first, "viewer");
  await other.page.goto(url);
  await other.page.getByText(`This invitation is for ${email}, but you are signed in as`).waitFor();
  await expectAccessible(other.page, "invitation-other-account");
  await other.page.getByRole("button", { name: "Sign out and continue" }).click();
  await other.page.getByText("You already have an account. Sign in to join.").waitFor();
  await expectAccessible(other.page, "invitation-sign-in");
  await other.page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await other.page.getByRole("button", { name: "Sign in and join" }).click();
  await other.page.waitForURL(`**/projects/${second.ref}`);

  const third = await dashboard.aProject(owner);
  const again = await owner.calls.members.invite.mutate({ projectRef: third.ref, email, role: "owner" });
  await other.page.goto(again.url);
  await other.page.getByRole("button", { name: "Join project" }).click();
  await other.page.waitForURL(`**/projects/${third.ref}`);
});
