import { readConfig, type StowageOptions } from "./config.js";
import { createCore } from "./core/core.js";
import { createHandler, type Handler } from "./handler.js";
import { createRouter, type StowageRouter } from "./router.js";
import { createServiceClient } from "./service-client.js";

export interface Stowage {
  /** Answers `POST …/request` and `POST …/complete`, wherever it is mounted; never rejects. */
  handler: Handler;
  /** Mutations `request` and `complete`, over the same code. Its context is `{ request: Request }`. */
  router: StowageRouter;
}

/**
 * What the customer's backend mounts between the widget and the Stowage service. It holds the key and says whose
 * files they are, so that the browser does neither.
 *
 * @throws {TypeError} when an option is wrong
 * @throws {Error} when it runs in a browser
 *
 * @example
 * const stowage = createStowage({
 *   apiKey: process.env.STOWAGE_API_KEY,
 *   baseUrl: process.env.STOWAGE_URL,
 *   tenant: async (request) => (await readSession(request))?.userId ?? null,
 * });
 */
export function createStowage(options: StowageOptions): Stowage {
  if ("window" in globalThis && "document" in globalThis) {
    throw new Error(
      "createStowage runs in a browser: move it to server code, where the API key stays secret, and regenerate a key that was bundled",
    );
  }
  // The key lives in closures from here on: nothing on the returned object leads to it.
  const config = readConfig(options);
  const core = createCore(createServiceClient(config));
  return { handler: createHandler(config, core), router: createRouter(config, core) };
}
