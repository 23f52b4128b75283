import type { Readable } from "node:stream";
import { StowageError } from "@stowage/schemas";
import { and, eq } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { isFile } from "#files/record/file-conditions.js";
import { bucketOf } from "#object-store/bucket-of.js";
import type { ObjectStore, StoredObject } from "#object-store/object-store.js";

type FileRow = typeof files.$inferSelect;

/** ISO/IEC 13818-1: a transport stream is a row of packets, and each begins with this byte. */
const SYNC_BYTE = 0x47;
const PACKET_BYTES = 188;
const LOOK_BYTES = 2 * PACKET_BYTES + 1;

const LOOK_LIMIT_MS = 5000;

const FILM = "video/mp2t";
const CODE = "application/typescript";

/**
 * Chooses the type of an arrived `.ts` file by its bytes: a film if its first three packets begin as those of an MPEG transport stream do,
 * else TypeScript. Browsers and names cannot tell them apart. Another type, which the customer's backend chose, stays. Other names, such
 * as `.m2ts` and `.mts`, cost nothing.
 *
 * @returns the row with its type
 * @throws {StowageError} `unavailable`
 */
export async function withTypeOfTs(
  deps: { db: Queries; store: Pick<ObjectStore, "read" | "published"> },
  file: FileRow,
  object: StoredObject,
): Promise<FileRow> {
  const isEither = file.contentType === FILM || file.contentType === CODE;
  if (!isEither || !/\.ts$/i.test(file.filename)) return file;
  const contentType = (await isTransportStream(deps, file, object)) ? FILM : CODE;
  if (contentType === file.contentType) return file;
  await deps.db.run((db) =>
    db
      .update(files)
      .set({ contentType })
      .where(and(isFile(file), eq(files.revision, file.revision))),
  );
  return { ...file, contentType };
}

async function isTransportStream(
  { store }: { store: Pick<ObjectStore, "read" | "published"> },
  { place, path }: FileRow,
  { sizeBytes }: StoredObject,
): Promise<boolean> {
  if (sizeBytes < LOOK_BYTES) return false;
  const object = await bucketOf(store, place).read(path, AbortSignal.timeout(LOOK_LIMIT_MS));
  if (!object) return false;
  const begin = await readBegin(object.body).catch((cause: unknown) => {
    throw new StowageError("unavailable", { retryAfterSeconds: 1, cause });
  });
  return [0, PACKET_BYTES, 2 * PACKET_BYTES].every((at) => begin[at] === SYNC_BYTE);
}

/** Does not wait for the rest of a film. */
async function readBegin(body: Readable): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= LOOK_BYTES) break;
  }
  return Buffer.concat(chunks);
}
