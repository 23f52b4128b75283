import { createReadStream } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";

const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** Sends a file of the page that was built into `PAGE_DIR`. */
export function sendFile(path: string, response: ServerResponse): void {
  const stream = createReadStream(join(process.env["PAGE_DIR"]!, path === "/" ? "/index.html" : path));
  stream.on("error", () => response.writeHead(404).end());
  stream.on("open", () => {
    response.writeHead(200, { "Content-Type": TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "text/html" });
    stream.pipe(response);
  });
}
