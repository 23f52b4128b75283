import pino, { type Logger } from "pino";

/**
 * Logs JSON lines to stdout. Of errors only type, code, message and stack are logged: other members may contain values of a
 * query.
 */
export function createLog(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
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
