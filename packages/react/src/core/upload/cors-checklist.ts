import type { UploadTicket } from "../transport.js";

/**
 * Logs the CORS rules that the bucket needs. The browser hides why a cross-origin request failed, so this is a guess. The
 * log contains no URL, because a presigned URL is a credential.
 */
export function logCorsChecklist({ headers }: UploadTicket): void {
  console.warn(
    `Stowage: 3 uploads in a row got no answer from storage, but your backend answers. The most likely cause is that the bucket has no CORS rules. It needs:
- AllowedOrigins: ${location.origin}
- AllowedMethods: PUT
- AllowedHeaders: ${Object.keys(headers).join(", ") || "none"}
If these are set, check whether an extension, a proxy or a Content-Security-Policy (connect-src) blocks PUT requests to storage.`,
  );
}
