/** Texts of the limits of tenants and plans. */
export const tenantLimits = {
  quotaBytes: "Storage",
  maxFiles: "Files",
  maxFilesHint: "Stored files, those in the trash, and open uploads.",
  maxOpenUploads: "Open uploads",
  maxOpenUploadsHint: "Uploads that are neither stored nor ended.",
  uploadsPerMinute: "Uploads per minute",
  uploadsPerMinuteHint: "Requests for uploads, also those that are refused.",
  byDefault: (limit: string) => `Default: ${limit}`,
  notASize: "Enter a size such as 500 MB or 5 GB",
  notANumber: "Enter a whole number",
} as const;
