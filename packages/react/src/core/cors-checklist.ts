import type { UploadTicket } from "./transport.js";

/**
 * Tells a developer what to look at when storage never answers and the backend does. A browser says of a request that
 * CORS forbids only that it failed. No URL is logged: it is as good as a password.
 */
export function logCorsChecklist({ headers }: UploadTicket): void {
  console.warn(
    `Stowage: 3 uploads in a row got no answer from storage, though your backend answers. Most often the CORS rules of the bucket are missing. They must have:
- AllowedOrigins: ${location.origin}
- AllowedMethods: PUT
- AllowedHeaders: ${Object.keys(headers).join(", ") || "none"}
Else see whether an extension, a proxy or a Content-Security-Policy (connect-src) stops a PUT to storage.`,
  );
}
