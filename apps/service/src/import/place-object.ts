import { uploadRequest } from "@stowage/schemas";
import type { KeyPattern, MatchedKey } from "./key-pattern.js";
import type { SourceObject } from "./source.js";

/** How an import finds out whose file an object becomes, and where it is put. */
export interface PlacingRules {
  pattern: KeyPattern | null;
  /** The tenant of all objects. Null: the pattern or the owners say it. */
  tenantId: string | null;
  /** The tenants by the keys of objects. Null: there is no such list. */
  owners: ReadonlyMap<string, string> | null;
}

export interface Place {
  tenantId: string;
  folder: string;
  filename: string;
}

/**
 * Why an object gets no file:
 *
 * - `folder_marker`: it stands for a folder. It does not count as left
 * - `no_match`: the pattern does not match its key
 * - `no_tenant`: the list of owners does not have its key
 * - `invalid_tenant_id`, `invalid_folder`, `invalid_filename`: an upload with this value would be refused
 * - `file_too_large`: it is larger than the project's maximum file size
 */
export type SkipReason =
  | "folder_marker"
  | "no_match"
  | "no_tenant"
  | "invalid_tenant_id"
  | "invalid_folder"
  | "invalid_filename"
  | "file_too_large";

/** @param maxFileBytes the project's maximum file size */
export function placeObject(
  { key, name, text, sizeBytes }: SourceObject,
  { pattern, tenantId, owners }: PlacingRules,
  maxFileBytes: number,
): Place | SkipReason {
  if (key.endsWith("/") && sizeBytes === 0) return "folder_marker";
  const matched: MatchedKey | null = pattern ? pattern.match(text) : {};
  if (!matched) return "no_match";
  const owner = tenantId ?? (owners ? owners.get(key) : matched.tenantId);
  if (owner === undefined) return "no_tenant";
  const wanted = { tenant_id: owner, filename: matched.filename ?? name, folder: matched.folder ?? "" };
  const parsed = uploadRequest.safeParse(wanted);
  if (!parsed.success) return REASONS[String(parsed.error.issues[0]?.path[0])] ?? "invalid_filename";
  if (sizeBytes > maxFileBytes) return "file_too_large";
  return { tenantId: parsed.data.tenantId, folder: parsed.data.folder ?? "", filename: parsed.data.filename };
}

const REASONS: Record<string, SkipReason> = { tenant_id: "invalid_tenant_id", folder: "invalid_folder" };
