import { createReadStream } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { createStowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { listen } from "./listen.js";

/** A customer's app for one user: a page with the widget, built into `PAGE_DIR`, and the helper. */
const api = toNodeHandler(
  createStowage({
    apiKey: process.env["STOWAGE_API_KEY"],
    baseUrl: process.env["STOWAGE_URL"],
    tenant: () => "bench",
  }),
);

const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

listen(
  createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost");
    if (pathname.startsWith("/api/files/")) void api(request, response);
    else sendFile(pathname === "/" ? "/index.html" : pathname, response);
  }),
);

function sendFile(path: string, response: ServerResponse): void {
  const stream = createReadStream(join(process.env["PAGE_DIR"]!, path));
  stream.on("error", () => response.writeHead(404).end());
  stream.on("open", () => {
    response.writeHead(200, { "Content-Type": TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "" });
    stream.pipe(response);
  });
}
