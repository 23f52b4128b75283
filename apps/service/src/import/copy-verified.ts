import { createHash } from "node:crypto";
import { keepTrying } from "#lib/keep-trying.js";
import { ObjectChangedError, ObjectRefusedError } from "#object-store/object-errors.js";
import type { HeadObject } from "#object-store/object-store.js";
import type { ObjectWriter } from "#object-store/object-writer.js";
import { PART_BYTES } from "#object-store/part-bytes.js";
import type { FoundObject, ObjectSource, SourceObject } from "./source.js";

export interface CopyVerifiedDeps {
  source: Pick<ObjectSource, "describe" | "read" | "copyInside">;
  writer: ObjectWriter;
  /** Reads what the target has. */
  head(path: string): Promise<HeadObject | null>;
  sleep(ms: number): Promise<unknown>;
  /** Says why an object is not wanted, before it is copied. @default all are */
  refuse?(found: FoundObject): string | null;
}

/** A copy whose size and MD5 were compared with those of the object. */
export interface VerifiedCopy {
  found: FoundObject;
  /** As the target has it now. */
  copy: HeadObject;
  /** Hexadecimal. Null for an object of parts that storage copied: then its ETag, which is of the MD5s of its parts, was compared. */
  md5: string | null;
}

export type CopyVerified = (object: SourceObject, to: string) => Promise<VerifiedCopy | { failed: string }>;

/** An object may change while it is copied. */
const MAX_CHANGES = 5;

/**
 * Copies objects, and compares size and MD5. Storage copies an object itself where it can. Otherwise this process reads it and sends it, with
 * the MD5 of each part, which the target compares.
 *
 * @returns a function that answers `failed` with a reason for an object that cannot be copied: `gone`, `changing`, or a code of the source
 */
export function createCopyVerified(deps: CopyVerifiedDeps): CopyVerified {
  const { source, writer } = deps;
  const inTurn = createTurns();
  const tryOften = <T>(work: () => Promise<T>) => keepTrying(deps.sleep, work);

  async function tryCopy(object: SourceObject, found: FoundObject, to: string): Promise<VerifiedCopy> {
    const md5 = await copy(object, found, to);
    const made = await tryOften(() => deps.head(to));
    if (made?.sizeBytes !== found.sizeBytes) throw new ObjectChangedError("its copy has another size");
    return { found, copy: made, md5 };
  }

  async function copy(object: SourceObject, found: FoundObject, to: string): Promise<string | null> {
    const outcome = await tryOften(() => source.copyInside(object, found, to));
    if (outcome === "changed") throw new ObjectChangedError("it has another ETag");
    if (outcome === "copied") return isMd5(found.etag) ? found.etag : null;
    const send = () => sendBytes(object, found, to);
    return writer.partBytesOf(found.sizeBytes) > PART_BYTES ? inTurn(send) : send();
  }

  async function sendBytes(object: SourceObject, found: FoundObject, to: string): Promise<string> {
    const { headers, sizeBytes } = found;
    const md5 = await writer.write(to, {
      headers,
      sizeBytes,
      read: (range) => tryOften(() => source.read(object, found, range)),
    });
    // The ETag of an encrypted object, or of one of parts, is not the MD5 of its bytes: a second read decides.
    if (md5 !== found.etag && md5 !== (await hashSource(object, found)))
      throw new ObjectChangedError("two reads gave different bytes");
    return md5;
  }

  async function hashSource(object: SourceObject, found: FoundObject): Promise<string> {
    const whole = createHash("md5");
    const size = writer.partBytesOf(found.sizeBytes);
    for (let at = 0; at < found.sizeBytes; at += size) {
      const range = { at, length: Math.min(size, found.sizeBytes - at) };
      whole.update(await tryOften(() => source.read(object, found, range)));
    }
    return whole.digest("hex");
  }

  return async (object, to) => {
    try {
      for (let changes = 0; changes < MAX_CHANGES; changes++) {
        const found = await tryOften(() => source.describe(object));
        if (!found) return { failed: "gone" };
        const refusal = deps.refuse?.(found);
        if (refusal) return { failed: refusal };
        try {
          return await tryCopy(object, found, to);
        } catch (error) {
          if (!(error instanceof ObjectChangedError)) throw error;
        }
      }
      return { failed: "changing" };
    } catch (error) {
      if (error instanceof ObjectRefusedError) return { failed: error.reason };
      throw error;
    }
  };
}

const isMd5 = (etag: string) => /^[0-9a-f]{32}$/.test(etag);

/** Runs one after the other, for objects whose parts are large. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
