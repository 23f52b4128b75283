/** A project's settings, and its end. */
export const settings = {
  title: "Settings",
  ownersOnly: "Only owners of the project can change its settings.",
  general: "General",
  name: "Name",
  nameHint: "What your team sees. Your users never do.",
  renamed: "The name is saved",
  limits: "Uploads",
  limitsHint: "These hold for every upload that is asked for from now on. What is stored stays.",
  defaultQuota: "Default quota",
  defaultQuotaHint: "How much each tenant may store. Left empty, the service's own default holds.",
  serviceDefault: "The service's default",
  maxFile: "Maximum file size",
  maxFileHint: (most: string) => `Of a single file; ${most} at most.`,
  requireSize: "Require the size",
  requireSizeHint:
    "Uploads must say how large the file is before they begin, so that the quota can be held exactly.",
  noSize: "Write a size such as 500 MB or 5 GB",
  saved: "Settings are saved",
  discard: "Discard changes",
  danger: "Delete this project",
  dangerHint: "Its API key stops working at once, and all of its files are removed from storage.",
  delete: "Delete project",
  deleteTitle: "Delete this project?",
  deleteWarning: (name: string) =>
    `${name} disappears for everybody at once, its API key stops working, and uploads in your product fail. ` +
    "All its tenants and files are deleted; a job removes the files from storage in the next minutes. " +
    "The audit log stays. This cannot be undone.",
  deleteAction: "Delete for ever",
  deleted: (name: string) => `${name} is deleted. Its files are being removed from storage.`,
} as const;
