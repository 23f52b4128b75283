import { createServer, type RequestListener } from "node:http";
import { toNodeHandler } from "@stowage/server/node";
import { listen } from "./listen.js";

/*
 * Serves the export of the module in `HANDLER`: a handler of Web requests behind an adapter that all sides share, or a listener for
 * node:http.
 */
interface Served {
  handler?: (request: Request) => Promise<Response>;
  listener?: RequestListener;
}

const { handler, listener } = (await import(process.env["HANDLER"]!)) as Served;
listen(createServer(listener ?? toNodeHandler({ handler: handler! })));
