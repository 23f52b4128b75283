import { StowageError } from "@stowage/schemas";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * No request of the API nests deeper than a few levels. Code that handles a value recursively, such as `JSON.stringify`, fails
 * after some thousand levels, and a body of 64 KiB can have more than 30,000.
 */
const MAX_DEPTH = 64;

/** Parses a request body. @throws {StowageError} `invalid_json`, also for invalid UTF-8 and for deep nesting */
export function decodeJson(body: Buffer): unknown {
  const text = decodeJsonText(body);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StowageError("invalid_json", { cause });
  }
}

/**
 * Decodes a request body that a library parses. The text may still be invalid JSON.
 *
 * @throws {StowageError} `invalid_json` for invalid UTF-8 and for deep nesting
 */
export function decodeJsonText(body: Buffer): string {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch (cause) {
    throw new StowageError("invalid_json", { cause });
  }
  if (isDeeperThan(MAX_DEPTH, text)) {
    throw new StowageError("invalid_json", {
      detail: `Request body must not be nested deeper than ${MAX_DEPTH} levels`,
    });
  }
  return text;
}

/**
 * Tells whether a JSON text nests objects and arrays deeper than `limit`. Brackets in strings do not count. This is a loop and no
 * regular expression, because that would take quadratic time for a text with many quotes.
 */
function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isInString) {
      if (char === "\\") at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{" || char === "[") {
      if (++depth > limit) return true;
    } else if (char === "}" || char === "]") depth--;
  }
  return false;
}
