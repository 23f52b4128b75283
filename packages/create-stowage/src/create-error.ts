/** A mistake or a task of the person who ran the command. Only its message is printed, without a stack trace. */
export class CreateError extends Error {
  override readonly name = "CreateError";
}
