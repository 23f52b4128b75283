import { createServer, type RequestListener } from "node:http";
import { toNodeHandler } from "@stowage/server/node";
import { listen } from "./listen.js";

/*
 * Serves what the module named by `HANDLER` exports: a handler of Web requests, behind the one adapter that all of them share, or
 * the listener of one that is made for node:http.
 */
interface Served {
  handler?: (request: Request) => Promise<Response>;
  listener?: RequestListener;
}

const { handler, listener } = (await import(process.env["HANDLER"]!)) as Served;
listen(createServer(listener ?? toNodeHandler({ handler: handler! })));
