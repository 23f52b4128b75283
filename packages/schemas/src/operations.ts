import type { About, Call, Operation } from "./call.js";
import rows from "./calls/index.js";
import type { ErrorCode } from "./errors.js";

/** Every call of the REST API with its documentation, in the order of the documentation. */
export const operations = tableOf(rows);

export type OperationId = keyof typeof operations;

function tableOf<Rows extends Record<string, { call: Call; about: About }>>(rows: Rows) {
  const operations = Object.entries(rows).map(([id, { call, about }]) => [id, { ...call, ...about }]);
  return Object.fromEntries(operations) as { [Id in keyof Rows]: Rows[Id]["call"] & Rows[Id]["about"] };
}

/** Returns every error code that a call can answer: its own, and those of all calls with a key or with a body. */
export function errorsOf(operation: Operation): ErrorCode[] {
  if (operation.isPublic) {
    return [...operation.errors, "internal_error"];
  }
  return [
    "invalid_request",
    ...(operation.body ? (["invalid_json"] as const) : []),
    ...operation.errors,
    "unauthorized",
    ...(operation.body ? (["body_too_large", "unsupported_media_type"] as const) : []),
    "too_many_requests",
    "internal_error",
    "unavailable",
  ];
}
