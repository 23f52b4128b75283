import * as z from "zod";
import { logToConsole } from "./errors.js";
import { isOrigin } from "./http/origin.js";
import type { Size } from "@stowage/schemas/rules";
import {
  DEFAULT_MULTIPART_FROM,
  isRouteMember,
  readMultipartFrom,
  readRoutes,
  type Route,
} from "./routes/read-routes.js";
import type { UploadRoutes } from "./routes/upload-route.js";
import type { StoredFile } from "./service-api/records.js";
import { serviceOptions } from "./service-api/service-options.js";

/** Returns the signed-in user's ID in the customer's own database. An empty result means that no user is signed in. */
export type TenantOf = (request: Request) => string | null | undefined | Promise<string | null | undefined>;

/** The argument of `allowUsage`. */
export interface CallerContext {
  /** The browser's request. Its body was already read. */
  request: Request;
  /** The signed-in user, as `tenant` returned it. */
  tenantId: string;
}

/** The argument of `allowFolders`. */
export interface FolderContext extends CallerContext {
  /** The whole name, such as `"reports/2026"`; `""` is the root. The user may have no file in it. */
  folder: string;
}

/** The argument of `allowFolderJobs`. */
export interface FolderJobContext extends FolderContext {
  /** The new name of a folder that is moved; undefined for one that is deleted. */
  to: string | undefined;
}

/** The argument of `allowRestore`. */
export interface PathContext extends CallerContext {
  /** The path that the page sent. The user may have no such file. */
  filePath: string;
}

/** The argument of `allowUpdate`. */
export interface UpdateContext extends FileContext {
  /** What the user changes. What is undefined stays. */
  change: { filename: string | undefined; folder: string | undefined };
}

/** The argument of `allowList`, `allowDownload`, `allowShare`, `allowVersions` and `allowDelete`. */
export interface FileContext extends CallerContext {
  /** A file of this user, as the service recorded it. */
  file: StoredFile;
}

/** Whether a signed-in user may do something. A function is asked on each call. Only `true` allows it. */
export type Allow<Context> = boolean | ((context: Context) => boolean | Promise<boolean>);

/** The settings of the helper: the service, who the user is, and what users may do. */
export interface StowageOptions<Schemas = Record<string, unknown>, Results = Record<string, unknown>> {
  /** The project's API key, from the server's environment. `undefined` is refused at run time. */
  apiKey: string | undefined;
  /** The address of the Stowage service, such as `https://files.example.com`. `undefined` is refused at run time. */
  baseUrl: string | undefined;
  /**
   * Returns the signed-in user's ID, or null. Read it from the session only: the browser controls the body and the query.
   * Do not read the request's body. `request.clone()` may be read.
   */
  tenant: TenantOf;
  /**
   * The kinds of uploads, by name. With routes, every upload must name one. Without routes, the service's own limits are the only
   * ones.
   */
  routes?: UploadRoutes<Schemas, Results> | undefined;
  /**
   * Files of at least this size are uploaded by parts, if the client can: bytes, or a text such as `"64MB"`. `false` uploads every
   * file with one PUT, which storage limits to 5 GiB. A route may have its own threshold. @default "32MiB"
   */
  multipartFrom?: Size | false | undefined;
  /** Which of their own stored files users may list from the page. A function is asked for each file. @default false */
  allowList?: Allow<FileContext> | undefined;
  /** Which of their own files users may download from the page. A function is also asked about a version that is downloaded. @default false */
  allowDownload?: Allow<FileContext> | undefined;
  /** Of which of their own files users may create, list and revoke share links from the page. @default false */
  allowShare?: Allow<FileContext> | undefined;
  /**
   * Of which of their own files users may list and restore versions, and download them with `allowDownload`. A function is asked about the
   * file, and not about its versions. @default false
   */
  allowVersions?: Allow<FileContext> | undefined;
  /** Whether users may read how much they store, and their quota, from the page. @default false */
  allowUsage?: Allow<CallerContext> | undefined;
  /** Which of their own files users may delete from the page. @default false */
  allowDelete?: Allow<FileContext> | undefined;
  /** Which of their own files users may restore from the trash, such as one that they have just deleted. @default false */
  allowRestore?: Allow<PathContext> | undefined;
  /** Which of their own files users may rename, and move with `allowFolders`. @default false */
  allowUpdate?: Allow<UpdateContext> | undefined;
  /** Which of their folders users may see, open, and move files into or out of. A function is asked for each folder. @default false */
  allowFolders?: Allow<FolderContext> | undefined;
  /**
   * Which of their folders users may rename, move or delete with everything below, also files that other options do not allow them to
   * change. `allowFolders` must allow the folder, and the new name, too. @default false
   */
  allowFolderJobs?: Allow<FolderJobContext> | undefined;
  /**
   * Other origins whose pages may call with this user's session, such as `https://app.example.com`. The helper's own origin is
   * always allowed. @default []
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Calls the service. By default this is the global `fetch`, except behind the node, express and fastify adapters: these use
   * Node's own HTTP client, which ignores undici's `setGlobalDispatcher`.
   */
  fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds that the service and each of your callbacks may take to answer. @default 10_000 */
  timeoutMs?: number | undefined;
  /**
   * Receives errors that the operator has to fix, not the user's errors: a wrong key, an unreachable service, a callback that
   * throws. The message says what happened and what to do. @default console.error
   */
  onError?: ((error: Error) => void) | undefined;
}

/** The options after validation. */
export interface Config {
  apiKey: string;
  /** Has no trailing slash. */
  baseUrl: string;
  tenant: TenantOf;
  /** Undefined if no routes are configured, which allows every upload. An empty map allows none. */
  routes: ReadonlyMap<string, Route> | undefined;
  /** Bytes. Infinity: never. */
  multipartFrom: number;
  allowList: Allow<FileContext>;
  allowDownload: Allow<FileContext>;
  allowShare: Allow<FileContext>;
  allowVersions: Allow<FileContext>;
  allowUsage: Allow<CallerContext>;
  allowDelete: Allow<FileContext>;
  allowRestore: Allow<PathContext>;
  allowUpdate: Allow<UpdateContext>;
  allowFolders: Allow<FolderContext>;
  allowFolderJobs: Allow<FolderJobContext>;
  allowedOrigins: ReadonlySet<string>;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  onError: (error: Error) => void;
}

const options = z.object(
  {
    ...serviceOptions,
    tenant: functionOption<TenantOf>(
      "tenant must be a function that returns the signed-in user's ID, or null",
    ),
    allowList: allowOption<FileContext>("allowList"),
    allowDownload: allowOption<FileContext>("allowDownload"),
    allowShare: allowOption<FileContext>("allowShare"),
    allowVersions: allowOption<FileContext>("allowVersions"),
    allowUsage: allowOption<CallerContext>("allowUsage"),
    allowDelete: allowOption<FileContext>("allowDelete"),
    allowRestore: allowOption<PathContext>("allowRestore"),
    allowUpdate: allowOption<UpdateContext>("allowUpdate"),
    allowFolders: allowOption<FolderContext>("allowFolders"),
    allowFolderJobs: allowOption<FolderJobContext>("allowFolderJobs"),
    allowedOrigins: z
      .array(
        z.string().refine(isOrigin, {
          error: ({ input }) =>
            `allowedOrigins: "${input}" is not an origin: pass only scheme and host, such as "https://app.example.com"`,
        }),
        { error: "allowedOrigins must be a list of origins" },
      )
      .default([])
      .transform((origins) => new Set(origins)),
    onError: functionOption<(error: Error) => void>("onError must be a function").default(() => logToConsole),
  },
  { error: "pass an object with apiKey, baseUrl and tenant" },
);

/** @throws {TypeError} one sentence on the first wrong option; it never contains the API key */
export function readConfig(given: object): Config {
  const result = options.safeParse(given);
  if (!result.success) throw new TypeError(`createStowage: ${result.error.issues[0]?.message}`);
  refuseUnknownOptions(given);
  try {
    const { routes, multipartFrom } = given as Record<string, unknown>;
    return {
      ...result.data,
      routes: readRoutes(routes),
      multipartFrom: readMultipartFrom("multipartFrom", multipartFrom) ?? DEFAULT_MULTIPART_FROM,
    };
  } catch (thrown) {
    throw new TypeError(`createStowage: ${(thrown as Error).message}`, { cause: thrown });
  }
}

/** @throws {TypeError} for a name that no option has: a limit beside `routes` would otherwise limit nothing */
function refuseUnknownOptions(given: object): void {
  const known = [...Object.keys(options.shape), "routes", "multipartFrom"];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const cure = isRouteMember(unknown)
    ? `it belongs into a route, such as routes: { documents: { ${unknown}: … } }`
    : `those are ${known.join(", ")}`;
  throw new TypeError(`createStowage: ${unknown} is not an option: ${cure}`);
}

function allowOption<Context>(name: string) {
  return z
    .custom<Allow<Context>>((value) => typeof value === "boolean" || typeof value === "function", {
      error: `${name} must be true, false or a function`,
    })
    .default(false);
}

function functionOption<T>(error: string) {
  return z.custom<T>((value) => typeof value === "function", { error });
}
