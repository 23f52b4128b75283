import type { BrowserUploadRequestBody } from "@stowage/schemas";
import { routeNotFoundDetail } from "@stowage/schemas/errors";
import { acceptTokens, brokenRule, type FileRules, parseSize, type Size } from "@stowage/schemas/rules";
import { UploadError } from "../upload-error.js";
import type { FakeUpload } from "./fake-uploads.js";
import { toError } from "./fault-injection.js";

/** An upload route of a customer's backend. */
export interface FakeRoute extends Pick<FileRules, "accept" | "maxFiles"> {
  maxSize?: Size | undefined;
  minSize?: Size | undefined;
  /** Returns the path of the stored file that the upload replaces. That file becomes its newest version. */
  replaces?: ((upload: FakeUpload) => string | null | undefined) | undefined;
  /** Returns the `item.data` of the page. An error becomes `callback_failed`. */
  onComplete?: ((upload: FakeUpload) => unknown) | undefined;
}

/** The routes by name; undefined for a backend without routes. */
export type FakeRoutes = Record<string, FakeRoute> | undefined;

/** Throws the refusals of the helper, in the same order as the helper. */
export function checkRequest(body: BrowserUploadRequestBody, routes: FakeRoutes): void {
  if (body.filename.trim() === "") throw toError("filename_required");
  if (!routes && !body.route) return;
  const route = routes?.[body.route ?? ""];
  if (!route) throw routeNotFound(body.route ?? undefined, routes);
  const rules = rulesOf(route);
  const needsSize = rules.maxSize !== undefined || rules.minSize !== undefined;
  if (needsSize && body.size === undefined) throw toError("size_required");
  const file = { name: body.filename, type: body.content_type ?? "", size: body.size ?? 0 };
  const code = brokenRule(file, rules, body.files_before ?? 0);
  if (!code) return;
  const { status, detail } = toError(code);
  const limitBytes = code === "file_too_large" ? rules.maxSize : rules.minSize;
  throw new UploadError(code, { status, detail: detail?.replace("N bytes", `${limitBytes} bytes`) });
}

export function routeNotFound(name: string | undefined, routes: FakeRoutes): UploadError {
  const { code, status } = toError("route_not_found");
  return new UploadError(code, { status, detail: routeNotFoundDetail(name, Object.keys(routes ?? {})) });
}

/** Runs the route's `onComplete`, and returns its result as a page receives it: converted to JSON and back. */
export async function callOnComplete(upload: FakeUpload, routes: FakeRoutes): Promise<unknown> {
  try {
    const result = await routes?.[upload.route ?? ""]?.onComplete?.(upload);
    return result === undefined ? undefined : (JSON.parse(JSON.stringify(result)) as unknown);
  } catch (error) {
    throw error instanceof UploadError ? error : toError("callback_failed");
  }
}

/** Returns the limits of the routes in the wire format. */
export function describeRoutes(routes: FakeRoutes) {
  return { routes: Object.fromEntries(Object.entries(routes ?? {}).map(describeRoute)) };
}

function describeRoute([name, route]: [string, FakeRoute]) {
  const { accept, maxSize, minSize, maxFiles } = rulesOf(route);
  return [
    name,
    {
      ...(accept !== undefined && { accept: acceptTokens(accept) }),
      ...(maxSize !== undefined && { max_size: maxSize }),
      ...(minSize !== undefined && { min_size: minSize }),
      ...(maxFiles !== undefined && { max_files: maxFiles }),
    },
  ] as const;
}

function rulesOf({ accept, maxSize, minSize, maxFiles }: FakeRoute): FileRules {
  const bytesOf = (size: Size | undefined) => (size === undefined ? undefined : parseSize(size));
  return { accept, maxSize: bytesOf(maxSize), minSize: bytesOf(minSize), maxFiles };
}
