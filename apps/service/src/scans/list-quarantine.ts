import { StowageError } from "@stowage/schemas";
import type { QuarantineInput } from "@stowage/schemas/dashboard";
import { and, desc, eq, inArray, lt } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, tenants } from "#db/schema/index.js";
import { isTenantOfFile } from "#files/file-conditions.js";
import type { Project } from "#projects/find-project.js";

/** A file whose scan found something, or could not look into it. */
export interface QuarantinedFile {
  id: number;
  filename: string;
  tenantId: string;
  sizeBytes: number | null;
  verdict: "infected" | "unscannable";
  /** What the scanner named; null if it named nothing. */
  signature: string | null;
  storedAt: string | null;
}

export interface QuarantinePage {
  files: QuarantinedFile[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * Lists infected and unscannable files of a project, the newest upload first.
 *
 * @throws {StowageError} `invalid_request` for a cursor that this list did not make; `unavailable`
 */
export async function listQuarantine(
  deps: { db: Queries },
  project: Project,
  { cursor, limit }: QuarantineInput,
): Promise<QuarantinePage> {
  const before = cursor === undefined ? undefined : Number(cursor);
  if (before !== undefined && !Number.isSafeInteger(before))
    throw new StowageError("invalid_request", { detail: "cursor is not from this list" });
  const rows = await deps.db.run((db) =>
    db
      .select({
        id: files.id,
        filename: files.filename,
        tenantId: tenants.tenantId,
        sizeBytes: files.size,
        verdict: files.scanStatus,
        signature: files.scanSignature,
        storedAt: files.storedAt,
      })
      .from(files)
      .innerJoin(tenants, isTenantOfFile())
      .where(
        and(
          eq(files.projectId, project.id),
          inArray(files.scanStatus, ["infected", "unscannable"]),
          eq(files.status, "stored"),
          before === undefined ? undefined : lt(files.id, before),
        ),
      )
      .orderBy(desc(files.id))
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  return {
    files: page.map(({ storedAt, verdict, ...file }) => ({
      ...file,
      verdict: verdict === "infected" ? verdict : "unscannable",
      storedAt: storedAt?.toISOString() ?? null,
    })),
    nextCursor: rows.length > limit ? String(page.at(-1)!.id) : null,
  };
}
