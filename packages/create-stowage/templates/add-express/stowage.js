import { createStowage } from "@stowage/server";
import { toExpressHandler } from "@stowage/server/express";

/** Answers the calls of the upload widget. Mount it with `app.use("/api/stowage", stowageHandler())`. */
export function stowageHandler() {
  return toExpressHandler(
    createStowage({
      apiKey: process.env.STOWAGE_API_KEY,
      baseUrl: process.env.STOWAGE_URL,
      // Replace this by your sign-in: (request) => the ID of the user whose session the request has, or null.
      // While you develop, every visitor is the same user. Everywhere else, this signs no one in.
      tenant: () => (process.env.NODE_ENV === "development" ? "user_42" : null),
      // Users list, download and delete their own files only.
      allowList: true,
      allowDownload: true,
      allowDelete: true,
    }),
  );
}
