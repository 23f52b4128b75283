import type { Role } from "@stowage/schemas/dashboard";

export const shell = {
  mainMenu: "Project",
  account: "Account",
  accountMenu: (name: string) => `Account of ${name}`,
  signOut: "Sign out",
  projects: "Projects",
  toLight: "Light colours",
  toDark: "Dark colours",
  openMenu: "Open menu",
  closeMenu: "Close menu",
  overview: "Overview",
  files: "Files",
  tenants: "Tenants",
  key: "API key",
  members: "Members",
  audit: "Audit log",
  settings: "Settings",
  broken: "This page could not be shown",
  brokenHint: "The dashboard may have a newer version since you opened it. Load the page again.",
  loadAgain: "Load again",
  roles: { viewer: "Viewer", member: "Member", owner: "Owner" } satisfies Record<Role, string>,
} as const;
