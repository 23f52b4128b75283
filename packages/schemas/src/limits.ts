/** The numbers of the contract. Lengths are Unicode code points unless the name says bytes. */
export const limits = {
  requestBodyBytes: 64 * 1024,
  tenantIdLength: 255,
  filenameLength: 255,
  contentTypeLength: 127,
  /** S3's own limit for one PUT. */
  fileSizeBytes: 5 * 1024 ** 3,
  metadataMembers: 16,
  metadataBytes: 2 * 1024,
  /** S3's own limit for an object key, in UTF-8. */
  objectKeyBytes: 1024,
  uploadUrlSeconds: 60 * 60,
  downloadUrlSeconds: 60 * 60,
  /** SigV4's own limit for a presigned URL. */
  maxDownloadUrlSeconds: 7 * 24 * 60 * 60,
  deletePaths: 1000,
  /** Room for that many of the longest paths, each character written as JSON's `\uXXXX`. */
  deleteBodyBytes: 64 * 1024 + 1000 * 2 * 1024,
  searchLength: 255,
  pageSize: 50,
  maxPageSize: 100,
} as const;
