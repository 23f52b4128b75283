import type { Bucket, StorageClient, UrlSigner } from "./object-store.js";

/**
 * Joins a signer and a client to one bucket. The client is loaded with the first request to storage, so a service that only signs
 * URLs never loads the AWS SDK.
 *
 * @param loadClient is called for each request, and may answer another client than before
 */
export function lazyStore(signer: UrlSigner, loadClient: () => Promise<StorageClient>): Bucket {
  const loaded = new Set<StorageClient>();
  const client = async () => {
    const one = await loadClient();
    loaded.add(one);
    return one;
  };
  return {
    presignPut: signer.presignPut,
    encryptionHeaders: signer.encryptionHeaders,
    maxParts: signer.maxParts,
    presignPart: signer.presignPart,
    presignGet: signer.presignGet,
    uploadUrlsEnd: signer.uploadUrlsEnd,
    downloadUrlsEnd: signer.downloadUrlsEnd,
    head: async (path) => (await client()).head(path),
    read: async (path, signal, range) => (await client()).read(path, signal, range),
    write: async (path, bytes, contentType) => (await client()).write(path, bytes, contentType),
    copyFrom: async (bucket, source, headers) => (await client()).copyFrom(bucket, source, headers),
    remove: async (path) => (await client()).remove(path),
    list: async (prefix, cursor) => (await client()).list(prefix, cursor),
    createMultipart: async (path, headers) => (await client()).createMultipart(path, headers),
    listParts: async (upload, after) => (await client()).listParts(upload, after),
    completeMultipart: async (upload, parts) => (await client()).completeMultipart(upload, parts),
    abortMultipart: async (upload) => (await client()).abortMultipart(upload),
    listMultiparts: async (prefix, cursor) => (await client()).listMultiparts(prefix, cursor),
    readCors: async () => (await client()).readCors(),
    writeCors: async (rules) => (await client()).writeCors(rules),
    check: async () => (await client()).check(),
    close: () => loaded.forEach((one) => one.close()),
  };
}
