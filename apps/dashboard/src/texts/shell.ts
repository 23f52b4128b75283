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
  pageErrorHint: "The dashboard may have been updated since you opened it. Reload the page.",
  reload: "Reload page",
  roles: { viewer: "Viewer", member: "Member", owner: "Owner" } satisfies Record<Role, string>,
} as const;
