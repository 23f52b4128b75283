import type { OperationId } from "@stowage/schemas";

/** One call of the page. The examples run in this order, so each may use the responses of earlier ones. */
export interface Example {
  operation: OperationId;
  /** Members of the query or the body. `$FILE_PATH` stands for the path in the response to the upload request. */
  send?: Record<string, unknown>;
  /** The page and the test send the file with PUT after this call. */
  isFollowedByPut?: true;
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
    operation: "createDownload",
    send: { file_path: "$FILE_PATH", tenant_id: "user_42", expires_in: 300 },
  },
  { operation: "findFile", send: { file_path: "$FILE_PATH" } },
  { operation: "listFiles", send: { tenant_id: "user_42", status: "stored", limit: 10 } },
  { operation: "setQuota", send: { tenant_id: "user_42", quota_bytes: 1_000_000_000 } },
  { operation: "listTenants", send: { sort: "used_bytes", limit: 10 } },
  { operation: "readUsage", send: { tenant_id: "user_42" } },
  { operation: "deleteFiles", send: { file_path: "$FILE_PATH" } },
  { operation: "checkAlive" },
  { operation: "checkReady" },
  { operation: "describeService" },
];
