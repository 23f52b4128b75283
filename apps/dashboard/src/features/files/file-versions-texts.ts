/** Texts about the versions of a file. */
export const fileVersions = {
  title: "Versions",
  hint: "Files that this file replaced. They are in the trash and count against the quota.",
  none: "This file has no versions.",
  version: "Version",
  actions: "Actions",
  replaced: "Replaced",
  download: "Download",
  downloadOf: (name: string, at: string) => `Download ${name}, replaced ${at}`,
  restore: "Restore",
  restoreOf: (name: string, at: string) => `Restore ${name}, replaced ${at}`,
  restoreTitle: "Restore this version?",
  restoreHint:
    "The version is stored again, and this file moves to the trash as its newest version. Each keeps its own path, and share links of this file pause.",
  restored: "The version was restored.",
} as const;
