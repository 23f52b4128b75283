import { expect, test } from "vitest";
import { aDashboard, PASSWORD } from "./stage/a-dashboard.js";

const dashboard = aDashboard();

test("a changed password signs out every other browser, and this one stays", async () => {
  const owner = await dashboard.anOwner();
  const { page, context, email, calls, complaints } = await dashboard.aMember(
    owner,
    await dashboard.aProject(owner),
    "viewer",
  );
  const elsewhere = await dashboard.aStranger();
  await dashboard.signIn(elsewhere.context, { email, password: PASSWORD });
  await page.goto("/account");
  await page.getByRole("textbox", { name: "Current password" }).fill("wrong");
  await page.getByRole("textbox", { name: "New password" }).fill("short");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("password must have at least 12 characters").waitFor();
  await page.getByRole("textbox", { name: "New password" }).fill("another battery staple");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The password is not right").waitFor();
  expect(complaints.splice(0).join()).toContain("400");
  await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Your password is changed.").waitFor();
  expect((await calls.session.me.query()).email).toBe(email);
  await expect(elsewhere.calls.session.me.query()).rejects.toThrow("Sign in first");
  await dashboard.signIn(context, { email, password: "another battery staple" });
});
