import { operatorError } from "../errors.js";

/**
 * Redirects a browser to a presigned URL. No cache keeps the URL, and storage does not learn the address of the page.
 *
 * @param presignedUrl from the service's answer, never from the browser's request
 * @throws {StowageError} `unavailable` if it is not a web address
 */
export function redirectResponse(presignedUrl: string): Response {
  if (!/^https?:\/\//i.test(presignedUrl)) {
    throw operatorError(
      "unavailable",
      "The Stowage service answered a presigned_url that is not a web address",
    );
  }
  return new Response(null, {
    status: 302,
    headers: { Location: presignedUrl, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" },
  });
}
