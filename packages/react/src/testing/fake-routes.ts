import type { BrowserUploadRequestBody } from "@stowage/schemas";
import { acceptTokens, brokenRule, type FileRules, parseSize, type Size } from "@stowage/schemas/rules";
import { UploadError } from "../core/upload-error.js";
import { asError } from "./fake-faults.js";
import type { FakeUpload } from "./fake-uploads.js";

/*
 * What a customer's upload routes do for a page, without a customer.
 */

export interface FakeRoute extends Pick<FileRules, "accept" | "maxFiles"> {
  maxSize?: Size | undefined;
  minSize?: Size | undefined;
  /** Its answer is `item.data` in the page; a throw is `callback_failed`. */
  onComplete?: ((upload: FakeUpload) => unknown) | undefined;
}

/** By name; undefined where the page was told of none. */
export type FakeRoutes = Record<string, FakeRoute> | undefined;

/** The refusals of the helper, in its own order. */
export function admit(body: BrowserUploadRequestBody, routes: FakeRoutes): void {
  if (body.filename.trim() === "") throw asError("filename_required");
  if (!routes && !body.route) return;
  const route = routes?.[body.route ?? ""];
  if (!route) throw asError("route_not_found");
  const rules = rulesOf(route);
  const isSized = rules.maxSize !== undefined || rules.minSize !== undefined;
  if (isSized && body.size === undefined) throw asError("size_required");
  const file = { name: body.filename, type: body.content_type ?? "", size: body.size ?? 0 };
  const code = brokenRule(file, rules, body.files_before ?? 0);
  if (!code) return;
  const { status, detail } = asError(code);
  const bytes = code === "file_too_large" ? rules.maxSize : rules.minSize;
  throw new UploadError(code, { status, detail: detail?.replace("N bytes", `${bytes} bytes`) });
}

/** What the route makes of a stored file, as JSON brings it to a page: a date is a text. */
export async function resultOf(upload: FakeUpload, routes: FakeRoutes): Promise<unknown> {
  try {
    const result = await routes?.[upload.route ?? ""]?.onComplete?.(upload);
    return result === undefined ? undefined : (JSON.parse(JSON.stringify(result)) as unknown);
  } catch (error) {
    throw error instanceof UploadError ? error : asError("callback_failed");
  }
}

/** What the page is told of its routes, as it asks for them. */
export function describeRoutes(routes: FakeRoutes) {
  return { routes: Object.fromEntries(Object.entries(routes ?? {}).map(describe)) };
}

function describe([name, route]: [string, FakeRoute]) {
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
  const bytes = (size: Size | undefined) => (size === undefined ? undefined : parseSize(size));
  return { accept, maxSize: bytes(maxSize), minSize: bytes(minSize), maxFiles };
}
