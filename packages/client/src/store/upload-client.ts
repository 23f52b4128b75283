import { createStoreCache, type StoreCache, type StoreCacheOptions } from "./store-cache.js";

/** Holds the lists of a page. Create it outside of components to end the lists from code that is not a component. */
export interface UploadClient {
  /**
   * Cancels all uploads and empties all lists. Deletes no stored file on the server. Call it before the user signs out: the
   * backend can cancel the uploads only with the session of their user.
   */
  clear(): void;
}

/** How long the client keeps a list whose component is gone. */
export type UploadClientOptions = StoreCacheOptions;

/**
 * Creates a client, which keeps uploads while their components unmount and mount again.
 *
 * @example
 * const uploads = createUploadClient(); // <Upload.Provider client={uploads}>
 * uploads.clear(); // after a sign-out
 */
export function createUploadClient(options: UploadClientOptions = {}): UploadClient {
  return createStoreCache(options);
}

/**
 * Holds the lists of all components that belong to no other client. On a server it stays empty: components put stores into it only in
 * browsers.
 */
export const defaultUploadClient: UploadClient = /* @__PURE__ */ createUploadClient();

/** The cache behind a client. The only way to a client is `createUploadClient`. */
export const storeCacheOf = (client: UploadClient): StoreCache => client as StoreCache;
