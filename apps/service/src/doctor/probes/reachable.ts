import { StowageError } from "@stowage/schemas";
import type { Probe } from "../probe.js";

/** Whether the service reaches the bucket with its own credentials. */
export const reachable: Probe = {
  name: "Bucket reachable",
  async run({ store, bucket }) {
    try {
      await store.check();
      return { verdict: "ok", found: `${bucket} answers`, whatToDo: null };
    } catch (error) {
      if (!(error instanceof StowageError)) throw error;
      const { cause } = error;
      const isMissing = cause instanceof Error && cause.name === "NotFound";
      return {
        verdict: "fail",
        found: isMissing
          ? `the bucket ${bucket} does not exist`
          : `it does not answer as it should${reasonOf(cause)}`,
        whatToDo: isMissing
          ? "Create the bucket, or set S3_BUCKET to the one that is there."
          : "Check S3_ENDPOINT, S3_REGION, S3_BUCKET and the two S3 keys, and that this machine may reach the endpoint.",
      };
    }
  },
};

/** A HEAD is answered without a body, so the status is all that there is. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  if ("code" in cause && typeof cause.code === "string") return ` (${cause.code})`;
  const { httpStatusCode: status } = ("$metadata" in cause ? cause.$metadata : {}) as {
    httpStatusCode?: number;
  };
  return status === undefined ? ` (${cause.name})` : ` (HTTP ${status})`;
}
