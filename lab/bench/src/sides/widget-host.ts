import { createServer } from "node:http";
import { createStowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { listen } from "./listen.js";
import { sendFile } from "./send-file.js";

/** A customer's app for one user: a page with the widget or the gallery, built into `PAGE_DIR`, and the helper. */
const api = toNodeHandler(
  createStowage({
    apiKey: process.env["STOWAGE_API_KEY"],
    baseUrl: process.env["STOWAGE_URL"],
    tenant: () => "bench",
    // The page with the gallery does both.
    allowList: true,
    allowDownload: true,
    routes: { files: {}, onePut: { multipartFrom: false } },
  }),
);

listen(
  createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost");
    if (pathname.startsWith("/api/files/")) void api(request, response);
    else sendFile(pathname, response);
  }),
);
