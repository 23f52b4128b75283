import { StowageError } from "@stowage/schemas";

/** Whether a later try may succeed: the database or storage does not answer, or too many calls of the same owner are waiting. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof StowageError && (error.code === "unavailable" || error.code === "too_many_requests")
  );
}
