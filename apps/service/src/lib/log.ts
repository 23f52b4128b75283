import pino, { type Logger } from "pino";
import { createLineWriter } from "./line-writer.js";

/** Returns further members of a line, when it is written. */
export type LogFields = () => Record<string, string>;

/**
 * Logs JSON lines. Of errors only type, code, message and stack are logged: other members may contain values of a query.
 */
export function createLog(level: string, destination: pino.DestinationStream, logFields?: LogFields): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    ...(logFields && { mixin: logFields }),
  };
  return pino(options, destination);
}

/** How long the process waits at its exit for the reader of its log. */
const LAST_LINES_MS = 1000;

/** Logs to stdout. A reader that does not read never delays the process; the lines that it misses are counted in the log. */
export function createStdoutLog(level: string, logFields?: LogFields): Logger {
  // Node makes a pipe or a socket non-blocking when it creates this stream.
  const { fd } = process.stdout;
  const writer = createLineWriter(fd, {
    onLost: (lines) => log.warn({ lines }, "lines of this log were lost, because stdout did not take them"),
  });
  process.on("exit", () => writer.finish(LAST_LINES_MS));
  const log = createLog(level, writer, logFields);
  return log;
}

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  // drizzle writes the values of a failed query into the error message.
  const isQuery = error.name === "DrizzleQueryError" || error.message.startsWith("Failed query:");
  return {
    type: error.name,
    ...("code" in error ? { code: error.code } : {}),
    message: isQuery ? "a query failed" : error.message,
    stack: isQuery ? undefined : error.stack,
    ...(error.cause !== undefined && depth < 4 ? { cause: describeError(error.cause, depth + 1) } : {}),
    ...(error instanceof AggregateError && depth < 4
      ? { errors: error.errors.map((inner) => describeError(inner, depth + 1)) }
      : {}),
  };
}
