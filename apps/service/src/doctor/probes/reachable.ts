import { StowageError } from "@stowage/schemas";
import { CredentialsError } from "#object-store/keep-renewed.js";
import { fail, type Probe } from "../probe.js";

/** Whether the service reaches the bucket with its own credentials. */
export const reachable: Probe = {
  name: "Bucket reachable",
  async run({ store, bucket }) {
    try {
      await store.check();
      return { verdict: "ok", found: `the bucket ${bucket} answers`, whatToDo: null };
    } catch (error) {
      if (!(error instanceof StowageError)) throw error;
      const { cause } = error;
      const isMissing = cause instanceof Error && cause.name === "NotFound";
      if (isMissing) {
        return {
          verdict: "fail",
          found: `the bucket ${bucket} does not exist`,
          whatToDo: "Create the bucket, or set S3_BUCKET to an existing one.",
        };
      }
      if (cause instanceof CredentialsError)
        return fail(
          `${error.message}: ${cause.message}`,
          "Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give this machine a role: docs/storage.md#temporary-credentials.",
        );
      return {
        verdict: "fail",
        found: `the bucket ${bucket} cannot be accessed${reasonOf(cause)}`,
        whatToDo:
          "Check S3_ENDPOINT, S3_REGION, S3_BUCKET and the two S3 keys, and that this machine can reach the endpoint.",
      };
    }
  },
};

/** The response to a HEAD request has no body, so the status is the only reason there is. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  if ("code" in cause && typeof cause.code === "string") return ` (${cause.code})`;
  const { httpStatusCode: status } = ("$metadata" in cause ? cause.$metadata : {}) as {
    httpStatusCode?: number;
  };
  return status === undefined ? ` (${cause.name})` : ` (HTTP ${status})`;
}
