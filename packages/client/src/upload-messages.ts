import { formatBytes } from "@stowage/schemas/page-rules";
import type { ErrorMessages } from "./messages.js";

const TRY_AGAIN_LATER = "The service is busy. Try again in a moment.";

/** The messages of failures that only code can have which is loaded after the first view. They are loaded with this code. */
export const uploadErrors = {
  different_file: ({ name, size, locale }) =>
    `This is another file. Choose ${name} (${formatBytes(size, locale)}).`,
  file_unreadable: "This file was changed, moved or deleted. Choose it again.",
  image_unreadable: "This picture cannot be opened. Choose another one.",
  storage_unreachable: "The storage cannot be reached. Check your connection, or try again later.",
  local_network_denied:
    "Your browser does not let this page reach the local network. Allow it in the settings of this site and try again.",
  timed_out: "The connection was lost. Check it and try again.",
  storage_refused: "Storage refused the upload. Try again, or contact the support of this site.",
  storage_unavailable: TRY_AGAIN_LATER,
  unexpected_answer: "The server gave an unexpected answer. Try again, or contact the support of this site.",
  unauthorized: "You are signed out. Sign in and try again.",
  quota_exceeded: ({ heldBytes, locale }) =>
    heldBytes === undefined
      ? "There is not enough storage left for this file. Free some space, or contact the support of this site."
      : `Uploads that were not finished hold ${formatBytes(heldBytes, locale)} of your storage.`,
  file_limit_exceeded: "You cannot store more files. Delete some, or contact the support of this site.",
  too_many_requests: TRY_AGAIN_LATER,
  delete_refused: "This file cannot be deleted.",
  callback_failed: "The file arrived, but could not be processed. Try again.",
  // Such as a wrong API key of the site's backend.
  internal_error: "This site has a problem. Try again later, or contact its support.",
  unavailable: TRY_AGAIN_LATER,
} satisfies Partial<ErrorMessages>;
