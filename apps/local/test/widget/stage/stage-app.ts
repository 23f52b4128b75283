import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import { createStowage, type StowageOptions } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { aGate, type Gate } from "./gate.js";

/** A call of the page to the helper, by the last part of its path: `request`, `complete`… */
export interface HelperCall {
  action: string;
  body: unknown;
  /** 0 while it is not answered. */
  status: number;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A customer's backend: sign-in by cookie, the helper, and the page. */
export interface StageApp {
  url: string;
  calls: HelperCall[];
  /** The next calls of this action are answered so, before the helper sees them. */
  next(action: string, ...answers: Answer[]): void;
  /** Calls of this action wait until they are let go. */
  hold(action: string): void;
  release(action: string): void;
  /** Lets those go on that wait now, and holds whoever comes later. */
  letThrough(action: string): void;
  /** The next URLs are said to live so long: the page's clock starts with the answer. */
  sayUrlsLive(seconds: number): void;
  /** What the page's form has sent. */
  submitted: URLSearchParams[];
  stop(): Promise<void>;
}

export interface StageAppOptions {
  pageDir: string;
  /** In place of the store in every URL that the helper hands out. */
  storageUrl: string;
  stowage: StowageOptions;
}

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const COOKIE = /(?:^|;\s*)stage_user=([^;]+)/;

/** Whose request it is, by its cookie. */
export const userOf = (request: Request) => COOKIE.exec(request.headers.get("cookie") ?? "")?.[1];

export async function startStageApp({ pageDir, storageUrl, stowage }: StageAppOptions): Promise<StageApp> {
  const calls: HelperCall[] = [];
  const submitted: URLSearchParams[] = [];
  const planned = new Map<string, Answer[]>();
  const gates = new Map<string, Gate>();
  const gateOf = (action: string) => gates.get(action) ?? gates.set(action, aGate()).get(action)!;
  let saidLife = {};
  const helper = createStowage(stowage);

  async function answer(request: Request, action: string): Promise<Response> {
    await gateOf(action).pass();
    const plan = planned.get(action)?.shift();
    if (plan) return Response.json(plan.body ?? {}, { status: plan.status, headers: plan.headers ?? {} });
    const response = await helper.handler(request);
    if (action !== "request" || !response.ok) return response;
    const ticket = (await response.json()) as { presigned_url: string };
    const { origin } = new URL(ticket.presigned_url);
    const throughProxy = ticket.presigned_url.replace(origin, storageUrl);
    return Response.json({ ...ticket, presigned_url: throughProxy, ...saidLife });
  }
  const listener = toNodeHandler({
    handler: async (request) => {
      const action = new URL(request.url).pathname.split("/").findLast((part) => part !== "") ?? "";
      const body: unknown = await request
        .clone()
        .json()
        .catch(() => undefined);
      const call: HelperCall = { action, body, status: 0 };
      calls.push(call);
      const response = await answer(request, action);
      call.status = response.status;
      return response;
    },
  });

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://stage");
    if (pathname.startsWith("/api/stowage/")) return void listener(request, response);
    if (pathname === "/submitted") {
      return void text(request).then((body) => {
        submitted.push(new URLSearchParams(body));
        response
          .writeHead(200, { "content-type": "text/html" })
          .end("<!doctype html><title>Received</title>");
      });
    }
    void sendFile(response, join(pageDir, pathname === "/" ? "index.html" : normalize(pathname)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    calls,
    next: (action, ...answers) => void planned.set(action, answers),
    hold: (action) => gateOf(action).close(),
    release: (action) => gateOf(action).open(),
    letThrough(action) {
      gateOf(action).open();
      gateOf(action).close();
    },
    sayUrlsLive: (seconds) => void (saidLife = { expires_in: seconds }),
    submitted,
    async stop() {
      for (const gate of gates.values()) gate.open();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function sendFile(response: ServerResponse, path: string): Promise<void> {
  try {
    const body = await readFile(path);
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}
