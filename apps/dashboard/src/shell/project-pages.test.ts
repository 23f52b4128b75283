import { expect, test } from "vitest";
import { pagesFor, samePage } from "./project-pages.js";

test.each([
  ["/projects/$projectRef/", "/projects/$projectRef"],
  ["/projects/$projectRef/tenants", "/projects/$projectRef/tenants"],
  ["/projects/$projectRef/files/$fileId", "/projects/$projectRef/files"],
  ["/projects/$projectRef/settings", "/projects/$projectRef/settings"],
  ["/account", "/projects/$projectRef"],
])("an owner who switches projects on %s sees %s", (route, page) => {
  expect(samePage(route, "owner")).toBe(page);
});

test("a viewer who switches projects on the settings sees the overview", () => {
  expect(samePage("/projects/$projectRef/settings", "viewer")).toBe("/projects/$projectRef");
});

test("a viewer's pages are without those of owners", () => {
  const labels = pagesFor("viewer").map(({ label }) => label);
  expect(labels).not.toContain("Settings");
  expect(labels).not.toContain("Audit log");
  expect(labels).toContain("Quickstart");
});
