import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { shownTextOf } from "#files/record/download-headers.js";
import { isFile } from "#files/record/file-conditions.js";
import { bucketOf, storedEtagOf } from "#object-store/bucket-of.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { findCharset } from "./look-at-text.js";

interface TextTypeDeps {
  /** For writes. */
  db: Queries;
  store: Pick<ObjectStore, "read" | "published">;
}

/** How long all looks of one call may take together. Then the remaining texts are shown without a charset, as a browser guesses it. */
const LOOK_LIMIT_MS = 3000;

/** @returns a function that returns the same signal to all looks of one call */
export function createLookLimit(): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => (signal ??= AbortSignal.timeout(LOOK_LIMIT_MS));
}

/**
 * The type with which a browser shows a file in place of saving it. A text that names no charset gets one from its bytes, because browsers
 * read such a text as Windows-1252. Only the first request for a text reads them; a file that is never shown costs nothing.
 *
 * @returns the file's own type for a file that is no text. Never throws
 */
export async function shownTypeOf(
  deps: TextTypeDeps,
  file: typeof files.$inferSelect,
  limit = createLookLimit(),
): Promise<string> {
  const text = shownTextOf(file.contentType);
  if (!text) return file.contentType;
  const charset = text.charset ?? (await charsetOf(deps, file, limit));
  return charset === null ? "text/plain" : `text/plain; charset=${charset}`;
}

async function charsetOf(
  { db, store }: TextTypeDeps,
  file: typeof files.$inferSelect,
  limit: () => AbortSignal,
): Promise<"utf-8" | null> {
  const { text, etag, size } = file;
  if (text && text.etag === etag) return text.charset;
  if (etag === null || size === 0) return null;
  try {
    const object = await bucketOf(store, file.place).read(file.path, limit());
    // Other bytes than the recorded ones: the next check records them.
    if (object?.etag !== storedEtagOf(file)) {
      object?.body.destroy();
      return null;
    }
    const charset = await findCharset(object.body);
    await db.run((db) =>
      db
        .update(files)
        .set({ text: { charset, etag } })
        .where(and(isFile(file), eq(files.etag, etag))),
    );
    return charset;
  } catch {
    // A text that cannot be looked at now is shown as before, and looked at by the next request.
    return null;
  }
}
