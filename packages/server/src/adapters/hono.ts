import type { Handler } from "../http/handler.js";

/** The part of Hono's context that the adapter uses. */
export interface HonoContextLike {
  req: { raw: Request; text(): Promise<string> };
}

const contexts = new WeakMap<Request, HonoContextLike>();

/**
 * Creates a handler for Hono, on every runtime of Hono that has Node's APIs.
 *
 * @example app.all("/api/stowage/*", toHonoHandler(stowage));
 */
export function toHonoHandler({ handler }: { handler: Handler }) {
  return async (context: HonoContextLike): Promise<Response> => {
    const { raw } = context.req;
    const request = raw.bodyUsed ? await withBodyAgain(context) : raw;
    contexts.set(request, context);
    return handler(request);
  };
}

/**
 * Returns the Hono context behind a Web request. Hono middleware keeps the session there.
 *
 * @throws {TypeError} for a request that did not come through this adapter
 * @example tenant: (request) => honoContext<Context<Env>>(request).get("userId")
 */
export function honoContext<T extends HonoContextLike = HonoContextLike>(request: Request): T {
  const found = contexts.get(request);
  if (found === undefined) throw new TypeError("honoContext: this request did not come from Hono");
  // The caller knows its app. The adapter stored exactly the context that Hono passed to it.
  return found as T;
}

// A middleware has read the body. Hono caches it, so `text()` can return it again.
async function withBodyAgain({ req }: HonoContextLike): Promise<Request> {
  const { url, method, headers, signal } = req.raw;
  return new Request(url, { method, headers, signal, body: await req.text() });
}
