import type { Handler } from "../handler.js";

/** What the adapter uses of Hono's context. */
export interface HonoContextLike {
  req: { raw: Request; text(): Promise<string> };
}

const contexts = new WeakMap<Request, HonoContextLike>();

/**
 * A handler for Hono, on any of its runtimes.
 *
 * @example app.all("/api/stowage/*", toHonoHandler(stowage));
 */
export function toHonoHandler({ handler }: { handler: Handler }) {
  return async (context: HonoContextLike): Promise<Response> => {
    const { raw } = context.req;
    const request = raw.bodyUsed ? await withBodyAnew(context) : raw;
    contexts.set(request, context);
    return handler(request);
  };
}

/**
 * Hono's context of a request, where its middleware leaves who is signed in.
 *
 * @throws {TypeError} for a request that did not come through this adapter
 * @example tenant: (request) => honoContext<Context<Env>>(request).get("userId")
 */
export function honoContext<T extends HonoContextLike = HonoContextLike>(request: Request): T {
  const found = contexts.get(request);
  if (found === undefined) throw new TypeError("honoContext: this request did not come from Hono");
  // The caller knows its app: the adapter put in exactly what Hono handed it.
  return found as T;
}

// A middleware has read the body; Hono keeps what it read.
async function withBodyAnew({ req }: HonoContextLike): Promise<Request> {
  const { url, method, headers, signal } = req.raw;
  return new Request(url, { method, headers, signal, body: await req.text() });
}
