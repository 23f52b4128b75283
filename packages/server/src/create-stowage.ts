import type { RouteTypes, TypedRoutes } from "@stowage/schemas";
import { readConfig, type StowageOptions } from "./config.js";
import { createCore } from "./core/core.js";
import { createHandler, type Handler } from "./http/handler.js";
import { saveInternals } from "./internals.js";
import { refuseBrowser } from "./refuse-browser.js";
import type { TypesOfRoutes } from "./routes/upload-route.js";
import { createServiceClient, type ServiceFetch } from "./service-api/service-client.js";
import { globalFetch } from "./service-api/service-options.js";

/** A helper. Its type carries its routes: `createUploader<typeof stowage>()` of `@stowage/react` reads them. */
export interface Stowage<
  Routes extends Record<string, RouteTypes> = Record<string, RouteTypes>,
> extends TypedRoutes<Routes> {
  /**
   * Answers `POST …/request`, `…/request-batch`, `…/parts`, `…/complete`, `…/complete-batch`, `…/cancel`, `…/discard`, `…/delete`,
   * `…/restore`, `…/update`, `…/move-folder`, `…/delete-folder`, `…/download`, `…/downloads`, `…/share` and `…/revoke-link`, and
   * `GET …/routes`, `…/open`, `…/parts`, `…/list`, `…/folders`, `…/job`, `…/links`, `…/usage` and `…/download`, below any path. Never rejects.
   */
  handler: Handler;
}

/**
 * Creates the helper that the customer's backend mounts between the widget and the Stowage service. It holds the API key and
 * decides which tenant a request belongs to, so that the browser does neither.
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
  refuseBrowser(
    "createStowage runs in a browser: move it to server code, where the API key stays secret, and replace a key that was bundled",
  );
  // From here on only closures hold the key. Nothing on the returned object leads to it.
  const config = readConfig(options);
  const createCoreWith = (fetch: ServiceFetch) =>
    createCore(config, createServiceClient({ ...config, fetch }));
  const core = createCoreWith(config.fetch);
  const stowage = { handler: createHandler(config, core) };
  saveInternals(stowage, {
    config,
    core,
    createHandlerWith: (fetch) =>
      config.fetch === globalFetch ? createHandler(config, createCoreWith(fetch)) : stowage.handler,
  });
  return stowage;
}
