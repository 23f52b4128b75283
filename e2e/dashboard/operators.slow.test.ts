import { expect, test } from "vitest";
import { aDashboard, expectAccessible } from "./fixtures/a-dashboard.js";

const dashboard = aDashboard();

test("an administrator lets an operator create projects, and takes the right back", async () => {
  const admin = await dashboard.anOwner();
  const user = await dashboard.aNewUser({ mayCreateProjects: false });
  await user.page.goto("/");
  await user.page.getByText("ask an administrator of this service for the right to do so").waitFor();
  expect(await user.page.getByRole("button", { name: /project/i }).count()).toBe(0);
  await expectAccessible(user.page, "projects-empty-without-right");

  await admin.page.goto("/");
  await admin.page.getByRole("button", { name: /^Account of/ }).click();
  await admin.page.getByRole("menuitem", { name: "Operators" }).click();
  await admin.page.getByRole("heading", { name: "Operators", level: 1 }).waitFor();
  await admin.page.getByRole("searchbox").fill(user.email);
  await expect.poll(() => new URL(admin.page.url()).searchParams.get("q")).toBe(user.email);
  const grant = admin.page
    .getByRole("row")
    .filter({ hasText: user.email })
    .getByRole("switch", { name: "Grace Hopper can create projects" });
  await expect.poll(() => grant.count()).toBe(1);
  // By keyboard: while the search runs, an overlay of the table takes clicks.
  await grant.press("Space");
  await admin.page.getByText("Grace Hopper can now create projects.").waitFor();
  await expect.poll(() => grant.isChecked()).toBe(true);
  await expectAccessible(admin.page, "operators");

  await user.page.reload();
  await user.page.getByRole("button", { name: "Create your first project" }).waitFor();
  await dashboard.aProject(user);
  await grant.press("Space");
  await admin.page.getByText("Grace Hopper can no longer create projects.").waitFor();
  await expect.poll(() => grant.isChecked()).toBe(false);
  await user.page.reload();
  await user.page.getByText("To create a project, ask an administrator of this service").waitFor();
  expect(await user.page.getByRole("button", { name: "New project" }).count()).toBe(0);
  await expectAccessible(user.page, "projects-without-right");
  await expect(dashboard.aProject(user)).rejects.toThrow("You may not create projects");

  await admin.page.goto("/account");
  await admin.page.getByText(`No longer allows ${user.email} to create projects`).waitFor();
});

test("the page of the operators is for administrators", async () => {
  const user = await dashboard.aNewUser();
  await user.page.goto("/");
  await user.page.getByRole("button", { name: /^Account of/ }).click();
  await user.page.getByRole("menuitem", { name: "Account" }).waitFor();
  expect(await user.page.getByRole("menuitem", { name: "Operators" }).count()).toBe(0);
  await user.page.goto("/operators");
  await user.page.getByText("Only administrators can see this page.").waitFor();
  await expectAccessible(user.page, "operators-of-others");
  await expect(user.calls.operators.list.query({})).rejects.toThrow("Only administrators may do this");
  expect(user.consoleErrors).toEqual([]);
});
