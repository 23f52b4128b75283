import type { ObjectStore } from "./object-store.js";

type Presigner = Pick<ObjectStore, "presignPut" | "presignGet">;

/** A store whose client is not loaded before something is asked of storage: what is signed on this machine needs none. */
export function lazyStore(presigner: Presigner, load: () => Promise<ObjectStore>): ObjectStore {
  let loaded: ObjectStore | undefined;
  const store = async () => (loaded ??= await load());
  return {
    presignPut: presigner.presignPut,
    presignGet: presigner.presignGet,
    head: async (path) => (await store()).head(path),
    remove: async (path) => (await store()).remove(path),
    list: async (prefix, cursor) => (await store()).list(prefix, cursor),
    readCors: async () => (await store()).readCors(),
    writeCors: async (rules) => (await store()).writeCors(rules),
    check: async () => (await store()).check(),
    close: () => loaded?.close(),
  };
}
