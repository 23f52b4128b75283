import { Readable } from "node:stream";
import { snakeKeys } from "@stowage/schemas";
import { MINUTE_MS } from "./time.js";

/** Longer than any export takes. The service assumes that a slower client has disconnected. */
const TIME_LIMIT_MS = 60 * MINUTE_MS;

/**
 * Writes rows as JSON, one a line, with keys in snake_case. Rows are read only as fast as the client takes them, and no longer after it
 * disconnects. If reading fails, the connection is cut.
 */
export function toNdjson(pages: AsyncIterable<object[]>): Readable {
  const stream = Readable.from(writeLines(pages), { objectMode: false, highWaterMark: 64 * 1024 });
  const timer = setTimeout(() => stream.destroy(new Error("the export took too long")), TIME_LIMIT_MS);
  return stream.once("close", () => clearTimeout(timer));
}

async function* writeLines(pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(snakeKeys(row))}\n`).join("");
}
