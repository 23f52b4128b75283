import type { Role } from "@stowage/schemas/dashboard";

/** Texts of the menus and of the error page. */
export const shell = {
  projectMenu: "Project",
  account: "Account",
  operators: "Operators",
  accountMenu: (name: string) => `Account of ${name}`,
  signOut: "Sign out",
  projects: "Projects",
  toLight: "Light mode",
  toDark: "Dark mode",
  openMenu: "Open menu",
  closeMenu: "Close menu",
  overview: "Overview",
  files: "Files",
  tenants: "Tenants",
  key: "API key",
  members: "Members",
  audit: "Audit log",
  settings: "Settings",
  pageError: "This page could not be shown",
  pageErrorHint: "An error occurred. Reload the page.",
  newVersion: "There is a newer version of the dashboard",
  newVersionHint: "It was installed after you opened this page. Reload the page to use it.",
  reload: "Reload page",
  roles: { viewer: "Viewer", member: "Member", owner: "Owner" } satisfies Record<Role, string>,
} as const;
