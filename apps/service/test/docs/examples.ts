import type { OperationId } from "@stowage/schemas";

/** One call of the page. The examples run in this order, so each may use the responses of earlier ones. */
export interface Example {
  operation: OperationId;
  /**
   * Members of the query or the body. `$FILE_PATH` stands for the path in the response to the upload request, `$UPLOAD_PATH` for that
   * of the upload by parts.
   */
  send?: Record<string, unknown>;
  /** The page and the test send the file with PUT after this call. */
  isFollowedByPut?: true;
  /** The same for the signed part. */
  isFollowedByPart?: true;
  /** `$FILE_PATH` is that of another upload, which the test requests before this call and whose file is never sent. */
  isForUnsentUpload?: true;
}

export const examples: Example[] = [
  {
    operation: "requestUpload",
    send: { tenant_id: "user_42", filename: "hello.txt", size: 6, metadata: { invoice: "1001" } },
    isFollowedByPut: true,
  },
  { operation: "completeUpload", send: { file_path: "$FILE_PATH" } },
  { operation: "cancelUpload", send: { file_path: "$FILE_PATH" }, isForUnsentUpload: true },
  {
    operation: "openUpload",
    send: { tenant_id: "user_42", filename: "holiday.mp4", size: 20_000_000, fingerprint: "holiday 2026" },
  },
  {
    operation: "signParts",
    send: { file_path: "$UPLOAD_PATH", parts: [{ number: 3 }] },
    isFollowedByPart: true,
  },
  { operation: "listParts", send: { file_path: "$UPLOAD_PATH" } },
  { operation: "listUploads", send: { tenant_id: "user_42" } },
  { operation: "reportScan", send: { file_path: "$FILE_PATH", verdict: "clean" } },
  {
    operation: "createDownload",
    send: { file_path: "$FILE_PATH", tenant_id: "user_42", expires_in: 300 },
  },
  {
    operation: "createDownloads",
    send: {
      file_paths: ["$FILE_PATH", "projects/none"],
      tenant_id: "user_42",
      disposition: "inline",
      reuse: true,
    },
  },
  { operation: "findFile", send: { file_path: "$FILE_PATH" } },
  { operation: "listFiles", send: { tenant_id: "user_42", status: "stored", limit: 10 } },
  { operation: "setQuota", send: { tenant_id: "user_42", quota_bytes: 1_000_000_000 } },
  { operation: "listTenants", send: { sort: "used_bytes", limit: 10 } },
  { operation: "readUsage", send: { tenant_id: "user_42" } },
  { operation: "deleteFiles", send: { file_path: "$FILE_PATH" } },
  { operation: "restoreFiles", send: { file_path: "$FILE_PATH" } },
  { operation: "holdFile", send: { file_path: "$FILE_PATH", hold: true } },
  { operation: "setVisibility", send: { file_path: "$FILE_PATH", visibility: "public" } },
  { operation: "exportTenant", send: { tenant_id: "user_42" } },
  { operation: "deleteTenant", send: { tenant_id: "user_42" } },
  { operation: "checkAlive" },
  { operation: "checkReady" },
  { operation: "describeService" },
];
