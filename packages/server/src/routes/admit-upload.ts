import { StowageError, uploadRequest, type BrowserUploadRequest } from "@stowage/schemas";
import { brokenRule, type BrokenRule, type FileRules } from "@stowage/schemas/rules";
import type { Config } from "../config.js";
import { fault } from "../fault.js";
import type { Caller } from "../identify.js";
import type { StandardSchema } from "../standard-schema.js";
import { ROUTE_LABEL } from "./route-label.js";
import { runCallback } from "./run-callback.js";
import type { BeforeUploadContext } from "./upload-route.js";

const metadataMember = uploadRequest.in.shape.metadata;

/**
 * Lets an upload in by the route that it names: its rules, the schema of its input, then the customer's own callbacks.
 *
 * @returns the metadata to keep with the file; undefined where no routes are configured
 * @throws {StowageError} the first refusal
 */
export async function admitUpload(
  { routes, timeoutMs }: Pick<Config, "routes" | "timeoutMs">,
  { request, tenantId }: Caller,
  upload: BrowserUploadRequest,
): Promise<Record<string, string> | undefined> {
  const { route: name } = upload;
  if (routes === undefined && name === undefined) return undefined;
  const route = name === undefined ? undefined : routes?.get(name);
  if (name === undefined || route === undefined) throw new StowageError("route_not_found");
  judge(route.rules, upload);

  const callback = (member: string) => ({ name: `routes.${name}.${member}`, timeoutMs });
  const { input: schema, onBeforeUpload, metadata } = route;
  const input = schema && (await runCallback(callback("input"), () => readInput(schema, upload.input)));
  const { filename, contentType, size } = upload;
  // A context for each, so that what one callback writes into it is not read by the next.
  const context = (): BeforeUploadContext => ({
    request,
    tenantId,
    route: name,
    file: { filename, contentType, size },
    input,
  });
  if (onBeforeUpload) await runCallback(callback("onBeforeUpload"), () => onBeforeUpload(context()));
  const labels = metadata && (await runCallback(callback("metadata"), () => metadata(context())));
  return labelled(name, labels);
}

function judge(rules: FileRules, { filename, contentType, size, filesBefore }: BrowserUploadRequest): void {
  const isSized = rules.maxSize !== undefined || rules.minSize !== undefined;
  if (isSized && size === undefined) throw new StowageError("size_required");
  const file = { name: filename, type: contentType ?? "", size: size ?? 0 };
  const broken = brokenRule(file, rules, filesBefore ?? 0);
  if (broken !== null) throw new StowageError(broken, detailOf(broken, rules));
}

function detailOf(broken: BrokenRule, { maxSize, minSize }: FileRules): { detail?: string } {
  if (broken === "file_too_large") return { detail: `size must be at most ${maxSize} bytes` };
  if (broken === "file_too_small") return { detail: `size must be at least ${minSize} bytes` };
  return {};
}

async function readInput(schema: StandardSchema, given: unknown): Promise<unknown> {
  const read = await schema["~standard"].validate(given);
  if (!read.issues) return read.value;
  const detail = read.issues[0]?.message;
  throw new StowageError("invalid_request", detail ? { detail } : {});
}

function labelled(route: string, labels: unknown): Record<string, string> {
  // Its name alone has been judged when the helper was made.
  if (labels === undefined) return { [ROUTE_LABEL]: route };
  const wrong = (sentence: string) => fault("internal_error", `routes.${route}.metadata ${sentence}`);
  if (typeof labels !== "object" || labels === null || Array.isArray(labels)) {
    throw wrong("must return an object of strings");
  }
  if (Object.hasOwn(labels, ROUTE_LABEL)) {
    throw wrong(`returned ${ROUTE_LABEL}, a name that the helper keeps for itself`);
  }
  const all = { ...labels, [ROUTE_LABEL]: route };
  // Judged here: the service would blame the browser, which has no part in it.
  const checked = metadataMember.safeParse(all);
  if (!checked.success) {
    throw wrong(`returned what the service refuses: ${checked.error.issues[0]?.message}`);
  }
  return all;
}
