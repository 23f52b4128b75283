import { StowageError } from "@stowage/schemas";
import type {
  CopyOutcome,
  MultipartCursor,
  MultipartPage,
  MultipartRef,
  ObjectStore,
  PublicBucket,
} from "./object-store.js";

/** Where the objects of a project are while it moves, as every process must act: see projects/moving-projects.ts. */
export interface MovingStores {
  from: ObjectStore;
  to: ObjectStore;
  /** Which of them the project belongs to. Public files have their URLs there. */
  home: ObjectStore;
  /** See db/schema/storage-moves.ts. */
  state: "preparing" | "copying" | "settling";
}

/** Remembers which storage has a multipart upload, by the ID of the upload. */
export interface UploadPlaces {
  get(uploadId: string): ObjectStore | undefined;
  set(uploadId: string, store: ObjectStore): void;
}

const RETRY_AFTER_SECONDS = 60;

/**
 * The store of a project that moves. Objects are read at the new storage, or else at the old one. They are removed at the old one first: a
 * copy that lands at the new one afterwards is removed by the process that made it. An upload by parts stays where it began.
 *
 * Until the move is over, no file becomes public, so the public bucket of the project's storage has every public file.
 */
export function storeOfMove(moving: MovingStores, places: UploadPlaces): ObjectStore {
  const { from, to, state } = moving;
  const isOver = state === "settling";
  const target = state === "preparing" ? from : to;
  const sources = isOver ? [to] : [to, from];
  const stores = [from, to];
  const placeOf = async (upload: MultipartRef): Promise<ObjectStore> => {
    const known = places.get(upload.uploadId);
    if (known) return known;
    for (const store of [to, from]) {
      if ((await store.listParts(upload, 0)) === null) continue;
      places.set(upload.uploadId, store);
      return store;
    }
    return target;
  };
  return {
    ...target,
    published: publishedOfMove(moving),
    maxParts: Math.min(from.maxParts, to.maxParts),
    uploadUrlsEnd: async () => earliest(await Promise.all(stores.map((store) => store.uploadUrlsEnd()))),
    downloadUrlsEnd: async () => earliest(await Promise.all(stores.map((store) => store.downloadUrlsEnd()))),
    presignPart: async (part) => (await placeOf(part)).presignPart(part),
    presignGet: async (get) => {
      const isAtOld = !isOver && !(await to.head(get.path)) && (await from.head(get.path));
      return (isAtOld ? from : to).presignGet(get);
    },
    head: (path) => firstOf(sources, (store) => store.head(path)),
    read: (path, signal, range) => firstOf(sources, (store) => store.read(path, signal, range)),
    remove: async (path) => {
      await from.remove(path);
      await to.remove(path);
    },
    createMultipart: async (path, headers) => {
      const uploadId = await target.createMultipart(path, headers);
      places.set(uploadId, target);
      return uploadId;
    },
    listParts: (upload, after) => firstOf([to, from], (store) => store.listParts(upload, after)),
    completeMultipart: async (upload, parts) => (await placeOf(upload)).completeMultipart(upload, parts),
    abortMultipart: async (upload) => {
      for (const store of stores) await store.abortMultipart(upload);
    },
    listMultiparts: (prefix, cursor) => listBoth([to, from], prefix, cursor),
  };
}

function publishedOfMove({ from, to, home, state }: MovingStores): PublicBucket | null {
  const { published } = home;
  if (!published) return null;
  const remove = async (path: string) => {
    await from.published?.remove(path);
    await to.published?.remove(path);
  };
  if (state === "settling") return { ...published, remove };
  const both = state === "preparing" ? [from.published, to.published] : [to.published, from.published];
  const buckets = both.filter((bucket) => bucket !== null);
  return {
    ...published,
    head: (path) => firstOf(buckets, (bucket) => bucket.head(path)),
    read: (path, signal, range) => firstOf(buckets, (bucket) => bucket.read(path, signal, range)),
    remove,
    publish: async () => {
      throw new StowageError("unavailable", {
        detail: "The project is moving to another storage. The file becomes public when it has moved",
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    },
    takeBack: async (source, headers) => {
      let outcome: CopyOutcome = "missing";
      for (const bucket of buckets) {
        outcome = await bucket.takeBack(source, headers);
        if (typeof outcome === "object") break;
      }
      return outcome;
    },
  };
}

async function firstOf<Source, Found>(
  sources: readonly Source[],
  find: (source: Source) => Promise<Found | null>,
): Promise<Found | null> {
  for (const source of sources) {
    const found = await find(source);
    if (found) return found;
  }
  return null;
}

function earliest(ends: (Date | null)[]): Date | null {
  const times = ends.flatMap((end) => (end === null ? [] : [end.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** A cursor that also says which of the stores is being listed. */
interface CursorOfBoth extends MultipartCursor {
  store: number;
}

/** Lists one store after the other. The pages are in no order together. */
async function listBoth(
  stores: readonly ObjectStore[],
  prefix: string,
  cursor: MultipartCursor | null,
): Promise<MultipartPage> {
  const at = (cursor as CursorOfBoth | null)?.store ?? 0;
  const isStart = cursor === null || cursor.path === "";
  const { uploads, nextCursor } = await stores[at]!.listMultiparts(prefix, isStart ? null : cursor);
  const next = (store: number, place: MultipartCursor): CursorOfBoth => ({ ...place, store });
  if (nextCursor !== null) return { uploads, nextCursor: next(at, nextCursor) };
  const isLast = at === stores.length - 1;
  return { uploads, nextCursor: isLast ? null : next(at + 1, { path: "", uploadId: "" }) };
}

/**
 * A store whose calls for some paths go to another store.
 *
 * @param storeAt the store of a path, or of a prefix that names a project; null: this store
 */
export function routeByPath(
  store: ObjectStore,
  storeAt: (path: string) => Promise<ObjectStore | null>,
): ObjectStore {
  const at = async (path: string) => (await storeAt(path)) ?? store;
  return {
    ...store,
    published: store.published && routePublished(store.published, storeAt),
    presignPut: async (put) => (await at(put.path)).presignPut(put),
    presignPart: async (part) => (await at(part.path)).presignPart(part),
    presignGet: async (get) => (await at(get.path)).presignGet(get),
    head: async (path) => (await at(path)).head(path),
    read: async (path, signal, range) => (await at(path)).read(path, signal, range),
    write: async (path, bytes, contentType) => (await at(path)).write(path, bytes, contentType),
    remove: async (path) => (await at(path)).remove(path),
    createMultipart: async (path, headers) => (await at(path)).createMultipart(path, headers),
    listParts: async (upload, after) => (await at(upload.path)).listParts(upload, after),
    completeMultipart: async (upload, parts) => (await at(upload.path)).completeMultipart(upload, parts),
    abortMultipart: async (upload) => (await at(upload.path)).abortMultipart(upload),
    listMultiparts: async (prefix, cursor) => (await at(prefix)).listMultiparts(prefix, cursor),
  };
}

function routePublished(
  bucket: PublicBucket,
  storeAt: (path: string) => Promise<ObjectStore | null>,
): PublicBucket {
  const at = async (path: string) => (await storeAt(path))?.published ?? bucket;
  return {
    ...bucket,
    presignGet: async (get) => (await at(get.path)).presignGet(get),
    head: async (path) => (await at(path)).head(path),
    read: async (path, signal, range) => (await at(path)).read(path, signal, range),
    remove: async (path) => (await at(path)).remove(path),
    publish: async (source, headers) => (await at(source.path)).publish(source, headers),
    takeBack: async (source, headers) => (await at(source.path)).takeBack(source, headers),
  };
}
