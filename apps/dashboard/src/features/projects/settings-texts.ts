import type { ScanSetting } from "@stowage/operator-schemas";

/** Texts of a project's settings page. */
export const settings = {
  title: "Settings",
  ownersOnly: "Only owners of the project can change its settings.",
  general: "General",
  name: "Name",
  nameHint: "Visible to members of the project only.",
  renamed: "The name was saved.",
  limits: "Upload limits",
  limitsHint: "Changes apply from now on. Stored files are kept.",
  defaultQuota: "Default quota",
  defaultQuotaHint: "How much each tenant can store. If empty, the service default applies.",
  serviceDefault: "Service default",
  maxFile: "Maximum file size",
  maxFileHint: ({ max, onePut }: { max: string; onePut: string }) =>
    `The largest file that can be uploaded, up to ${max}. Files above ${onePut} must be uploaded by parts.`,
  requireSize: "Require file size",
  requireSizeHint:
    "Upload requests must declare the file size, so that too large files are refused before they are sent.",
  allowOverQuota: "Allow files over the quota",
  allowOverQuotaHint:
    "An upload without a declared size stays, whatever arrives. If this is off, a file is removed that arrives with more bytes than the tenant has left.",
  trashDays: "Days in the trash",
  trashDaysHint:
    "How long a deleted file can be restored. It counts against the quota until then. 0: files are removed at once.",
  maxVersions: "Versions of a file",
  maxVersionsHint:
    "How many replaced files can be downloaded and restored. They are in the trash, which removes them after its days. 0: off.",
  scans: "Virus scanning",
  scansHint:
    "A project that scans hands out only clean files. Files that are stored already are scanned too.",
  quarantine: "Files in quarantine",
  scanner: "Scanner",
  scanners: {
    off: {
      label: "Off",
      hint: "Files can be downloaded as soon as they are stored. Infected files stay in quarantine.",
    },
    clamav: {
      label: "ClamAV",
      hint: "Needs a scan worker on your server. While none runs, no file can be downloaded.",
    },
    external: {
      label: "Your own scanner",
      hint: "Your scanner reports what it found to the API. Until then, the file cannot be downloaded.",
    },
  } satisfies Record<ScanSetting, { label: string; hint: string }>,
  allowUnscannable: "Allow files that cannot be scanned",
  allowUnscannableHint: "Files that are too large for the scanner or encrypted can be downloaded.",
  notASize: "Enter a size such as 500 MB or 5 GB",
  saved: "The settings were saved.",
  discard: "Discard changes",
  deleteSection: "Delete this project",
  deleteHint: "The API key stops working immediately, and all files are removed from storage.",
  delete: "Delete project",
  deleteTitle: "Delete this project?",
  deleteWarning: (name: string) =>
    `${name} is deleted for all members. Its API key stops working immediately, and uploads in your product fail. ` +
    "All tenants and files are deleted; the files are removed from storage within minutes. " +
    "The audit log is kept. This cannot be undone.",
  deleteAction: "Delete permanently",
  deleted: (name: string) => `${name} was deleted. Its files are being removed from storage.`,
} as const;
