import { StowageError, uploadRequest, type BrowserUploadRequest } from "@stowage/schemas";
import { mediaTypeOf } from "@stowage/schemas/rules";
import { brokenRule, type BrokenRule, type FileRules } from "@stowage/schemas/rules";
import type { Config } from "../config.js";
import { operatorError } from "../errors.js";
import { requireRoute } from "../routes/require-route.js";
import { ROUTE_LABEL } from "../routes/route-label.js";
import type { StandardSchema } from "../routes/standard-schema.js";
import type { BeforeUploadContext } from "../routes/upload-route.js";
import type { Caller } from "./identify-caller.js";
import { runCallback } from "./run-callback.js";

const { metadata: metadataSchema, replaces: replacesSchema } = uploadRequest.in.shape;

/** What a route adds to an upload. */
interface RouteChoices {
  metadata?: Record<string, string>;
  /** The path of the file that the upload replaces. */
  replaces?: string | undefined;
}

/**
 * Checks an upload against the route that it names: first the rules, then the input schema, then the customer's callbacks. Each upload
 * needs a size, so that the service reserves it in the quota and storage accepts no other one.
 *
 * @returns the metadata to store with the file; undefined if no routes are configured
 * @throws {StowageError} the first refusal
 */
export async function checkUpload(
  { routes, timeoutMs }: Pick<Config, "routes" | "timeoutMs">,
  { request, tenantId }: Caller,
  upload: BrowserUploadRequest,
): Promise<RouteChoices> {
  if (routes === undefined && upload.route === undefined) {
    requireSize(upload);
    return {};
  }
  const { name, route } = requireRoute(routes, upload.route);
  checkRules(route.rules, upload);

  const callbackOptions = (member: string) => ({ name: `routes.${name}.${member}`, timeoutMs });
  const { input: schema, onBeforeUpload, metadata, replaces } = route;
  const input =
    schema && (await runCallback(callbackOptions("input"), () => parseInput(schema, upload.input)));
  const { filename, size } = upload;
  const contentType = upload.contentType && mediaTypeOf({ name: filename, type: upload.contentType });
  // Each callback gets its own context, so that it cannot change what the next one reads.
  const createContext = (): BeforeUploadContext => ({
    request,
    tenantId,
    route: name,
    file: { filename, contentType, size },
    input,
  });
  if (onBeforeUpload) {
    await runCallback(callbackOptions("onBeforeUpload"), () => onBeforeUpload(createContext()));
  }
  const labels =
    metadata && (await runCallback(callbackOptions("metadata"), () => metadata(createContext())));
  const replaced =
    replaces && (await runCallback(callbackOptions("replaces"), () => replaces(createContext())));
  return { metadata: addRouteLabel(name, labels), replaces: readReplaced(name, replaced) };
}

/** @param path what the customer's `replaces` callback returned; a customer without TypeScript may return any value */
function readReplaced(route: string, path: unknown): string | undefined {
  if (path === undefined || path === null) return undefined;
  if (replacesSchema.safeParse(path).success) return path as string;
  throw operatorError("internal_error", `routes.${route}.replaces must return a filePath, null or undefined`);
}

function checkRules(rules: FileRules, upload: BrowserUploadRequest): void {
  const { filename, contentType, filesBefore } = upload;
  const file = { name: filename, type: contentType ?? "", size: requireSize(upload) };
  const broken = brokenRule(file, rules, filesBefore ?? 0);
  if (broken !== null) throw new StowageError(broken, detailOf(broken, rules));
}

/** @throws {StowageError} `size_required` */
export function requireSize({ size }: BrowserUploadRequest): number {
  if (size === undefined) throw new StowageError("size_required");
  return size;
}

function detailOf(broken: BrokenRule, { maxSize, minSize }: FileRules): { detail?: string } {
  if (broken === "file_too_large") return { detail: `size must be at most ${maxSize} bytes` };
  if (broken === "file_too_small") return { detail: `size must be at least ${minSize} bytes` };
  return {};
}

async function parseInput(schema: StandardSchema, input: unknown): Promise<unknown> {
  const result = await schema["~standard"].validate(input);
  if (!result.issues) return result.value;
  const detail = result.issues[0]?.message;
  throw new StowageError("invalid_request", detail ? { detail } : {});
}

/** @param labels what the customer's `metadata` callback returned; a customer without TypeScript may return any value */
function addRouteLabel(route: string, labels: unknown): Record<string, string> {
  if (labels === undefined) return { [ROUTE_LABEL]: route };
  const refuse = (problem: string) => operatorError("internal_error", `routes.${route}.metadata ${problem}`);
  if (typeof labels !== "object" || labels === null || Array.isArray(labels)) {
    throw refuse("must return an object of strings");
  }
  if (Object.hasOwn(labels, ROUTE_LABEL)) {
    throw refuse(`returned ${ROUTE_LABEL}, a name that is reserved for the helper`);
  }
  const all = { ...labels, [ROUTE_LABEL]: route };
  // Checked here because the service's refusal would blame the browser, which did not write the metadata.
  const parsed = metadataSchema.safeParse(all);
  if (!parsed.success) {
    throw refuse(`returned metadata that the service refuses: ${parsed.error.issues[0]?.message}`);
  }
  return all;
}
