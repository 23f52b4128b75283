import type { OperationId } from "@stowage/schemas";

/** One call of the page, in the order in which they are run: each may use what those before it answered. */
export interface Example {
  operation: OperationId;
  /** Members of the query or the body; `$FILE_PATH` stands for the path that the upload answered. */
  send?: Record<string, unknown>;
  /** The bytes are sent then, in the page and in the run. */
  isFollowedByPut?: true;
}

export const examples: Example[] = [
  {
    operation: "requestUpload",
    send: { tenant_id: "user_42", filename: "hello.txt", size: 6, metadata: { invoice: "1001" } },
    isFollowedByPut: true,
  },
  { operation: "completeUpload", send: { file_path: "$FILE_PATH" } },
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
];
