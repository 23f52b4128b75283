import * as z from "zod";
import { isOrigin } from "./origin.js";
import { readRoutes, type Route } from "./routes/read-routes.js";
import type { UploadRoutes } from "./routes/upload-route.js";
import type { StoredFile } from "./records.js";
import { serviceOptions } from "./service-options.js";

/** A signed-in user's ID in the customer's own database; anything empty means that nobody is signed in. */
export type TenantOf = (request: Request) => string | null | undefined | Promise<string | null | undefined>;

/** What `allowDelete` is asked about. */
export interface DeleteContext {
  /** The browser's call. Its body has been read already. */
  request: Request;
  /** Who is signed in, as `tenant` says, and who the file belongs to. */
  tenantId: string;
  /** The file as the service has recorded it. */
  file: StoredFile;
}

/** Whether a signed-in user may delete a file of their own. */
export type AllowDelete = boolean | ((context: DeleteContext) => boolean | Promise<boolean>);

export interface StowageOptions<Schemas = Record<string, unknown>, Results = Record<string, unknown>> {
  /** The project's key, from the environment of the server; refused when it is not there. */
  apiKey: string | undefined;
  /** Where the Stowage service answers, such as `https://files.example.com`; refused when it is not there. */
  baseUrl: string | undefined;
  /**
   * Says who is signed in, from the session alone: never from the body or the query, which the browser writes.
   * It must not read the request's body; `request.clone()` may be read.
   */
  tenant: TenantOf;
  /**
   * The kinds of uploads there are, each by its name. With routes, every upload names one; without, every file is taken
   * that the service takes.
   */
  routes?: UploadRoutes<Schemas, Results> | undefined;
  /** Whether users may delete files of their own from the page. @default false */
  allowDelete?: AllowDelete | undefined;
  /**
   * Other origins whose pages may call with this user's session, such as `https://app.example.com`. The helper's own
   * origin always may.
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Calls the service, in place of the global `fetch`. Behind the node, express and fastify adapters it is in place of Node's
   * own HTTP client, which sees nothing of undici's `setGlobalDispatcher`.
   */
  fetch?: typeof globalThis.fetch | undefined;
  /** How long the service, and each of your callbacks, may take to answer. @default 10_000 */
  timeoutMs?: number | undefined;
  /**
   * Told of what the operator, not the user, has to put right: a wrong key, a service out of reach, a `tenant` that
   * throws. The message says what happened and what to do. @default console.error
   */
  onError?: ((error: Error) => void) | undefined;
}

/** The options, checked. */
export interface Config {
  apiKey: string;
  /** Without a slash at its end. */
  baseUrl: string;
  tenant: TenantOf;
  /** Undefined where none are configured, which is not the same as no route. */
  routes: ReadonlyMap<string, Route> | undefined;
  allowDelete: AllowDelete;
  allowedOrigins: ReadonlySet<string>;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  onError: (error: Error) => void;
}

const options = z.object(
  {
    ...serviceOptions,
    tenant: isFunction<TenantOf>("tenant must be a function that returns the signed-in user's ID, or null"),
    allowDelete: z
      .custom<AllowDelete>((value) => typeof value === "boolean" || typeof value === "function", {
        error: "allowDelete must be true, false or a function",
      })
      .default(false),
    allowedOrigins: z
      .array(
        z.string().refine(isOrigin, {
          error: ({ input }) =>
            `allowedOrigins: "${input}" is no origin: give scheme and host alone, such as "https://app.example.com"`,
        }),
        { error: "allowedOrigins must be a list of origins" },
      )
      .default([])
      .transform((origins) => new Set(origins)),
    onError: isFunction<(error: Error) => void>("onError must be a function").default(() => logToConsole),
  },
  { error: "pass an object with apiKey, baseUrl and tenant" },
);

/** @throws {TypeError} with one sentence on the first option that is wrong; it never quotes the key. */
export function readConfig(given: object): Config {
  const result = options.safeParse(given);
  if (!result.success) throw new TypeError(`createStowage: ${result.error.issues[0]?.message}`);
  const routes = prefixed(() => readRoutes((given as { routes?: unknown }).routes));
  return { ...result.data, routes };
}

function prefixed<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw new TypeError(`createStowage: ${(thrown as Error).message}`, { cause: thrown });
  }
}

function isFunction<T>(error: string) {
  return z.custom<T>((value) => typeof value === "function", { error });
}

function logToConsole(error: Error): void {
  console.error(`[stowage] ${error.message}`, ...(error.cause === undefined ? [] : [error.cause]));
}
