import type { KeptHeaders } from "#object-store/copy-ends.js";
import type { ByteRange, StoredObject } from "#object-store/object-store.js";

/** An object as its listing shows it. */
export interface SourceObject {
  /** Names it in its source. */
  key: string;
  /** The filename, if no pattern says it. */
  name: string;
  /** What the pattern is compared with. */
  text: string;
  sizeBytes: number;
  /** Changes with its bytes. Empty if the listing does not say it. */
  etag: string;
  /** Only if nothing else says it. */
  createdAt?: Date | undefined;
}

/** What an object has now. */
export interface FoundObject extends StoredObject {
  headers: KeptHeaders;
  /** Of the customer; names in lower case. */
  metadata: Record<string, string>;
  createdAt: Date | undefined;
}

/**
 * A place that objects are imported from. Every call has a time limit. Errors name no address, key or URL.
 *
 * @throws {StowageError} from every call: `unavailable` if a later try may succeed, `invalid_request` if the whole source refuses
 */
export interface ObjectSource {
  /** Names the source for good, without a secret: an object that is imported again gets the same path. */
  id: string;
  /** Lists all objects, page by page. */
  list(): AsyncGenerator<SourceObject[], void, undefined>;
  /** @returns null if the object is gone. @throws {ObjectRefusedError} */
  describe(object: SourceObject): Promise<FoundObject | null>;
  /**
   * Reads bytes of an object into memory.
   *
   * @param range which bytes; null for all
   * @throws {ObjectChangedError}, {@link ObjectRefusedError}
   */
  read(object: SourceObject, found: FoundObject, range: ByteRange | null): Promise<Uint8Array>;
  /**
   * Lets storage copy the object, if one server has source and target.
   *
   * @returns `refused`: the bytes have to be sent
   */
  copyInside(object: SourceObject, found: FoundObject, to: string): Promise<"copied" | "changed" | "refused">;
  close(): void;
}
