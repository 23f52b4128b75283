import { StowageError } from "@stowage/schemas";

/** An object has other bytes than those that were asked for, or is gone. */
export class ObjectChangedError extends Error {
  override readonly name = "ObjectChangedError";
}

/** An object cannot be read, also later. */
export class ObjectRefusedError extends Error {
  override readonly name = "ObjectRefusedError";
  /** A code of storage such as `AccessDenied`, or `HTTP 403`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`the object cannot be read (${reason})`);
    this.reason = reason;
  }
}

/** What an error of a request to the target means. */
export function toWriteError(error: unknown): Error {
  if (isKnown(error)) return error;
  return new StowageError("unavailable", { detail: describeFailure("The target", error), cause: error });
}

/** What an error of a listing means. @param error of the port of storage, with its cause */
export function toListError(error: unknown): StowageError {
  const cause = (error as Error).cause ?? error;
  if (cause instanceof StowageError) return cause;
  const { httpStatusCode: status = 0 } =
    (cause as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  if (status >= 400 && status < 500 && status !== 408 && status !== 429)
    return new StowageError("invalid_request", {
      detail: `The source does not list its objects (${(cause as Error).name})`,
      cause,
    });
  return new StowageError("unavailable", { detail: describeFailure("The source", cause), cause });
}

/** Whether an error says already what it means. */
export function isKnown(error: unknown): error is Error {
  return (
    error instanceof StowageError ||
    error instanceof ObjectChangedError ||
    error instanceof ObjectRefusedError
  );
}

/** Says that the other side failed. It names the code of an error: the message may have an address. */
export function describeFailure(subject: string, error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return `${subject} does not answer as expected (${code ?? name}). Run the command again, and it goes on`;
}
