import { createStowage } from "@stowage/server";
import { userIdOf } from "./session";

/** Creates the helper, which answers the calls of the page. It holds the API key, so only server code may import this file. */
export function makeStowage() {
  return createStowage({
    apiKey: process.env.STOWAGE_API_KEY,
    baseUrl: process.env.STOWAGE_URL,
    tenant: (request) => userIdOf(request.headers.get("cookie")),
    // The page lists, downloads and deletes files. All of it concerns the signed-in user's own files only.
    allowList: true,
    allowDownload: true,
    allowDelete: true,
  });
}
