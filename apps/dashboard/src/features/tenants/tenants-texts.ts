import { formatBounded, formatCount } from "../../components/format.js";

/** Texts of the pages about tenants. */
export const tenants = {
  title: "Tenants",
  none: "No tenants yet",
  noneHint:
    "A tenant is a user of your product. It is created by its first upload, with the tenant_id that your backend sends.",
  search: "Search by tenant ID",
  count: (found: { count: number; isExact: boolean }) =>
    `${formatBounded(found)} ${found.count === 1 && found.isExact ? "tenant" : "tenants"}`,
  tenant: "Tenant",
  used: "Storage used",
  files: "Files",
  since: "Created",
  back: "All tenants",
  overQuota: "Over quota",
  ofQuota: (used: string, quota: string) => `${used} of ${quota}`,
  noQuota: (used: string) => `${used}, no limit`,
  usedOf: (tenantId: string) => `Quota used by ${tenantId}`,
  reservedOf: (tenantId: string) => `Quota reserved for open uploads of ${tenantId}`,
  reserved: "Reserved for open uploads",
  quota: "Quota",
  sources: { tenant: "custom", plan: "plan", project: "project default", service: "service default" },
  quotaWithSource: (quota: string, source: string) => `${quota} (${source})`,
  notSet: "No limit",
  filesOf: (tenantId: string) => `Files of ${tenantId}`,
  searchFiles: "Search these files",
  noFiles: "No files",
  plan: "Plan",
  noPlan: "No plan",
  filesOfLimit: (files: string, limit: string) => `${files} of ${limit}`,
  setLimits: "Set limits",
  setLimitsOf: (tenantId: string) => `Limits of ${tenantId}`,
  folder: "Folder",
  folders: "Folders",
  allFolders: "All folders",
  moreFolders: "Show more folders",
  belowUsage: (used: string) =>
    `This tenant already uses ${used}. Its files are kept, but new uploads are rejected until there is room.`,
  limitsSet: "The limits were saved.",
  usage: "Usage over time",
  displayAs: "Display usage as",
  day: "Day",
  usedAtEnd: "Used at end of day",
  delete: "Delete tenant",
  deleteSection: "Delete this tenant",
  deleteHint:
    "Deletes the tenant with all its files, its usage and its history, for example because a person asks for it. Files on hold prevent it.",
  deleteTitle: "Delete the tenant?",
  deleteWarning: (files: number, size: string) =>
    `This deletes ${files === 1 ? "1 file" : `${formatCount(files)} files`} (${size}) for good, also those in the trash. It cannot be undone.`,
  deleted: (tenantId: string, remainingFiles: number) =>
    remainingFiles === 0
      ? `The tenant ${tenantId} was deleted.`
      : `The tenant ${tenantId} is being deleted. Stowage removes its other files in the background.`,
  usageOfDays: (tenantId: string, days: number) => `Storage used by ${tenantId} in the last ${days} days`,
} as const;
