import { KEEP_OUT_OF_SHARED_CACHES, type PresignGetOptions } from "#object-store/object-store.js";
import { encodePath, encodeGetQuery } from "#object-store/presign.js";
import { addMs, SECOND_MS } from "#lib/time.js";
import type { SignCdnUrl } from "./url-signer.js";

/** The CDN in front of the private bucket. It checks a signature, and then reads the bucket with keys of its own. */
export interface PrivateDelivery {
  /** Signs the URL of a download at the CDN. It says the same as a URL that is signed for storage. */
  presignGet(options: PresignGetOptions): Promise<string>;
  /** What the CDN has to forget of an object: all variations of its query. */
  patternOf(path: string): string;
}

/** @param baseUrl of the bucket at the CDN, without a slash at its end */
export function createPrivateDelivery(baseUrl: string, sign: SignCdnUrl): PrivateDelivery {
  const urlOf = (path: string) => `${baseUrl}/${encodePath(path)}`;
  return {
    presignGet: ({ cacheControl, ...options }) => {
      // The CDN checks the signature of each request, so it may keep a file for longer than a URL.
      const query = encodeGetQuery({
        ...options,
        ...(cacheControl !== KEEP_OUT_OF_SHARED_CACHES && { cacheControl }),
      });
      return sign(
        `${urlOf(options.path)}?${query}`,
        addMs(options.signedAt, options.expiresInSeconds * SECOND_MS),
      );
    },
    patternOf: (path) => `${urlOf(path)}*`,
  };
}
