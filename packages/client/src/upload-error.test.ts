import { errorCatalogue } from "@stowage/schemas";
import { expect, test } from "vitest";
import { canRetryByHand, type ClientErrorCode, UploadError, type UploadErrorCode } from "./upload-error.js";

const clientCodes: Record<ClientErrorCode, true> = {
  file_not_saved: true,
  local_network_denied: true,
  file_unreadable: true,
  file_refused: true,
  validation_failed: true,
  transform_failed: true,
  duplicate_file: true,
  different_file: true,
  total_size_exceeded: true,
  network_error: true,
  server_unreachable: true,
  storage_unreachable: true,
  timed_out: true,
  storage_refused: true,
  storage_unavailable: true,
  request_refused: true,
  unexpected_answer: true,
};

test("lets a person retry unless the file itself is the problem", () => {
  const codes = [...Object.keys(errorCatalogue), ...Object.keys(clientCodes)] as UploadErrorCode[];
  expect(codes.filter((code) => !canRetryByHand(code)).sort()).toEqual([
    "different_file",
    "duplicate_file",
    "file_not_saved",
    "file_refused",
    "file_too_large",
    "file_too_small",
    "file_type_not_accepted",
    "file_unreadable",
    "filename_required",
    "image_unreadable",
    "invalid_request",
  ]);
});

test("is an Error with code, status, detail, pause and cause", () => {
  const cause = new TypeError();
  const error = new UploadError("quota_exceeded", { status: 403, detail: "Full", retryAfterMs: 5, cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "UploadError", message: "Full", code: "quota_exceeded", status: 403 });
  expect(error).toMatchObject({ detail: "Full", retryAfterMs: 5, cause });
  expect(new UploadError("timed_out")).toMatchObject({ message: "timed_out", status: 0 });
});
