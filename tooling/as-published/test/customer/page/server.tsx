import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { createStowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { renderToString } from "react-dom/server";
import { App } from "./app.js";
import { allFiles, fakeServiceFetch, storeBytes } from "./fake-service.js";

/*
 * A customer's server: `node server.js <folder of the built page>`. It renders the page, mounts the helper and contains a fake
 * of the service. It prints its address when it is ready.
 */
const [pageFolder = "."] = process.argv.slice(2);
const MEDIA_TYPES: Record<string, string> = { ".js": "text/javascript", ".css": "text/css" };

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => {
    console.error(error);
    response.writeHead(500).end(String(error));
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const helper = toNodeHandler(
  createStowage({
    apiKey: `stow_live_${"Zq9".repeat(16)}x`,
    baseUrl: address,
    tenant: () => "user_ada",
    fetch: fakeServiceFetch(`${address}/storage`),
  }),
);
console.log(address);

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? "/", address);
  if (pathname.startsWith("/api/upload/")) return void (await helper(request, response));
  if (pathname.startsWith("/storage/")) {
    storeBytes(pathname.slice("/storage/".length), Buffer.concat(await request.toArray()));
    return void response.writeHead(200).end();
  }
  if (pathname === "/files") return void response.end(JSON.stringify(allFiles()));
  if (pathname.startsWith("/assets/")) {
    response.setHeader("Content-Type", MEDIA_TYPES[extname(pathname)] ?? "application/octet-stream");
    return void response.end(await readFile(join(pageFolder, pathname)));
  }
  const html = await readFile(join(pageFolder, "index.html"), "utf8");
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end(html.replace("<!--app-->", renderToString(<App strict={search === "?strict"} />)));
}
