import type { RouteTypes, TypedRoutes } from "@stowage/schemas";
import { readConfig, type StowageOptions } from "./config.js";
import { createCore } from "./core/core.js";
import { createHandler, type Handler } from "./handler.js";
import type { TypesOfRoutes } from "./routes/upload-route.js";
import { createServiceClient } from "./service-client.js";
import { byFetch, type ServiceFetchOf } from "./service-fetch.js";
import { globalFetch } from "./service-options.js";
import { keepWorkings } from "./workings.js";

/** A helper; its type says which routes it has: `createUploader<typeof stowage>()` of `@stowage/react` reads them. */
export interface Stowage<
  Routes extends Record<string, RouteTypes> = Record<string, RouteTypes>,
> extends TypedRoutes<Routes> {
  /**
   * Answers `POST …/request`, `POST …/complete`, `POST …/delete` and `GET …/routes`, wherever it is mounted; never
   * rejects.
   */
  handler: Handler;
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
 *   routes: {
 *     avatar: {
 *       accept: "image/*",
 *       maxSize: "4MB",
 *       onComplete: async ({ tenantId, file }) => saveAvatar(tenantId, file.filePath),
 *     },
 *   },
 * });
 */
export function createStowage<
  Schemas extends Record<string, unknown> = Record<never, unknown>,
  Results extends Record<string, unknown> = Record<never, unknown>,
>(options: StowageOptions<Schemas, Results>): Stowage<TypesOfRoutes<Schemas, Results>> {
  if ("window" in globalThis && "document" in globalThis) {
    throw new Error(
      "createStowage runs in a browser: move it to server code, where the API key stays secret, and regenerate a key that was bundled",
    );
  }
  // The key lives in closures from here on: nothing on the returned object leads to it.
  const config = readConfig(options);
  const coreOver = (fetchOf: ServiceFetchOf) =>
    createCore(config, createServiceClient({ ...config, fetchOf }));
  const core = coreOver(byFetch(config.fetch));
  const stowage = { handler: createHandler(config, core) };
  const isChosen = config.fetch !== globalFetch;
  keepWorkings(stowage, { config, core, coreOver: isChosen ? () => core : coreOver });
  return stowage;
}
