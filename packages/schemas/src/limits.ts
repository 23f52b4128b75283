/** The limits of the API. Lengths are in Unicode code points; names in bytes or seconds say so. */
export const limits = {
  requestBodyBytes: 64 * 1024,
  tenantIdLength: 255,
  filenameLength: 255,
  contentTypeLength: 127,
  /** Segments of the name of a folder. */
  folderDepth: 16,
  folderSegmentLength: 255,
  /** The limit of S3 for one PUT. */
  fileSizeBytes: 5 * 1024 ** 3,
  /** The limit of S3 for one object, which is then uploaded by parts. */
  multipartFileSizeBytes: 5 * 1024 ** 4,
  /** The limits of S3 for a multipart upload. Only the last part may be smaller than the minimum. */
  parts: 10_000,
  minPartSizeBytes: 5 * 1024 ** 2,
  maxPartSizeBytes: 5 * 1024 ** 3,
  /** Part URLs in one answer. */
  signedParts: 100,
  fingerprintLength: 255,
  /** Files in one request of the widget. */
  batchFiles: 100,
  /** Enough for `batchFiles` files with the longest names, even if JSON escapes each character as `\uXXXX`, and 4 kB of input each. */
  batchBodyBytes: 1024 ** 2,
  idempotencyKeyLength: 255,
  metadataMembers: 16,
  metadataBytes: 2 * 1024,
  /** Members of metadata in one filter. */
  metadataFilters: 3,
  /** The limit of S3 for an object key, in bytes of UTF-8. */
  objectKeyBytes: 1024,
  cacheControlLength: 200,
  /** From a minute to ten years. */
  minExpiresAfterSeconds: 60,
  maxExpiresAfterSeconds: 10 * 365 * 24 * 60 * 60,
  maxTrashDays: 90,
  /** Replaced files that a project can keep of each file. */
  maxVersions: 100,
  /** What a new project has, if its owner does not say another number. */
  newProjectTrashDays: 7,
  uploadUrlSeconds: 60 * 60,
  downloadUrlSeconds: 60 * 60,
  /** Lifetime of the download URLs that the helper gives to browsers. */
  browserDownloadUrlSeconds: 15 * 60,
  /** The limit of AWS Signature Version 4 for a presigned URL. */
  maxDownloadUrlSeconds: 7 * 24 * 60 * 60,
  /** Files in one request for download URLs. */
  downloadPaths: 100,
  /** Enough for `downloadPaths` paths, as `deleteBodyBytes`. */
  downloadsBodyBytes: 64 * 1024 + 100 * 2 * 1024,
  /** Lifetime of the URL to which a share link redirects. */
  linkUrlSeconds: 60,
  /** Of those that work. */
  linksPerFile: 1000,
  linkDownloads: 1_000_000_000,
  linkIdLength: 64,
  jobIdLength: 64,
  minLinkPasswordLength: 8,
  linkPasswordLength: 128,
  deletePaths: 1000,
  /** Enough for `deletePaths` paths of the maximum length, if JSON escapes each character as `\uXXXX`. */
  deleteBodyBytes: 64 * 1024 + 1000 * 2 * 1024,
  imagePresets: 20,
  presetNameLength: 40,
  /** The longest side of a variant. */
  variantPixels: 4096,
  plans: 50,
  planNameLength: 40,
  /** The largest number of files or uploads that a limit can be. */
  countLimit: 1_000_000_000,
  acceptLength: 1000,
  scanSignatureLength: 200,
  etagLength: 255,
  searchLength: 255,
  pageSize: 50,
  maxPageSize: 100,
  /** In one answer of meters. */
  meterDays: 366,
  /** Of the log of events. */
  eventsPageSize: 1000,
  eventsWaitSeconds: 25,
} as const;
