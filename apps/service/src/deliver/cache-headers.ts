import { KEEP_OUT_OF_SHARED_CACHES } from "#object-store/object-store.js";
import { urlEnd, type UrlLifetime } from "./url-lifetime.js";

/** A variant in the private bucket has no `Cache-Control`. */
export const VARIANT = { cacheControl: null };

/**
 * The headers that say who may keep the answer to a signed URL. The `Cache-Control` that a file has brought is the customer's decision, so it
 * is not replaced.
 *
 * - With `reuse`, browsers and CDNs keep it until the URL ends. The end is a fixed time, because a `max-age` starts at each request, also at
 *   one shortly before the end. `public` reveals no more than the URL itself does, if the cache's key contains the whole URL.
 * - Without it, only the browser may. A shared cache that finds no header keeps the answer for a time of its own, also after the end.
 *
 * @param object.cacheControl that of the object in storage
 */
export function cacheHeaders(
  object: { cacheControl: string | null },
  lifetime: UrlLifetime,
  { reuse = false }: { reuse?: boolean | undefined } = {},
): { cacheControl?: string; expires?: Date } {
  if (object.cacheControl !== null) return {};
  if (!reuse) return { cacheControl: KEEP_OUT_OF_SHARED_CACHES };
  return { cacheControl: "public, must-revalidate", expires: urlEnd(lifetime) };
}
