import type { StowageError } from "@stowage/schemas";

// Beside the errors, not on them: what server code catches and prints is the plain error of the catalogue.
const serverSide = new WeakSet<StowageError>();

/**
 * Marks a failure that the client has told to server code. Its sentence may name internal addresses and paths, and its code
 * speaks of the server's own call: let through by a callback, it is no answer to the browser.
 */
export function keepServerSide(error: StowageError): StowageError {
  serverSide.add(error);
  return error;
}

export function isServerSide(error: StowageError): boolean {
  return serverSide.has(error);
}
