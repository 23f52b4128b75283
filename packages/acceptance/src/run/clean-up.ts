import type { Context } from "../context.js";
import { Failure } from "../expect/failure.js";
import type { FilePage, Tenant } from "../wire.js";
import { startOfRun, TENANTS_OF_RUNS } from "./tenant-names.js";

/** A run of another process that is older than this has ended, so what it left may be deleted. */
const ABANDONED_AFTER_MS = 2 * 3_600_000;
const MAX_CALLS = 100;
const TENANTS_AT_ONCE = 4;
const STATUSES = ["pending", "stored", "expired", "trashed"];

export interface CleanUp {
  deletedTenants: number;
  /** Tenants that still exist, each with the reason. */
  left: { tenant_id: string; reason: string }[];
}

/** Deletes tenants with all their files, releases of holds included. Repeating it changes nothing. */
export async function deleteTenants(context: Context, tenantIds: string[]): Promise<CleanUp> {
  const result: CleanUp = { deletedTenants: 0, left: [] };
  const waiting = [...tenantIds];
  async function work(): Promise<void> {
    for (let tenant_id = waiting.shift(); tenant_id !== undefined; tenant_id = waiting.shift()) {
      try {
        if (await deleteTenant(context, tenant_id)) result.deletedTenants++;
      } catch (error) {
        if (!(error instanceof Failure) && !isAbort(error)) throw error;
        const reason = error instanceof Failure ? error.got : "the time for cleaning up is over";
        result.left.push({ tenant_id, reason });
      }
    }
  }
  await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, work));
  return result;
}

/** @returns false if the tenant does not exist */
async function deleteTenant(context: Context, tenant_id: string): Promise<boolean> {
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const answer = await context.post("tenants/delete", { tenant_id });
    if (answer.headers.get("x-error-code") === "tenant_not_found" || answer.status === 404) return calls > 0;
    if (answer.status === 409) await releaseHolds(context, tenant_id);
    else if (answer.ok<{ remaining_files: number }>({}).remaining_files === 0) return true;
    else await context.wait(1000);
  }
  throw new Failure({
    asked: `POST /api/storage/tenants/delete/, ${MAX_CALLS} times`,
    expected: "no remaining files",
    got: "files that the service has not removed yet. It continues by itself",
  });
}

async function releaseHolds(context: Context, tenant_id: string): Promise<void> {
  for (const status of STATUSES) {
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: FilePage = await context.list({ tenant_id, status, limit: 100, ...(cursor && { cursor }) });
      for (const file of page.files as (FilePage["files"][number] & { hold?: boolean })[])
        if (file.hold) (await context.post("hold", { file_path: file.file_path, hold: false })).ok();
      cursor = page.next_cursor;
    }
  }
}

/** The tenants of runs that a condition accepts. None if the service does not answer as it should: cases report that. */
export async function findTenants(
  context: Context,
  accepts: (tenantId: string) => boolean,
): Promise<string[]> {
  try {
    const answer = await context.get("tenants", { q: TENANTS_OF_RUNS, limit: 100 });
    const { tenants = [] } = answer.ok<{ tenants?: Tenant[] }>();
    return tenants.map(({ tenant_id }) => tenant_id).filter(accepts);
  } catch (error) {
    if (error instanceof Failure || isAbort(error)) return [];
    throw error;
  }
}

/** Whether the tenant is of a run that was killed. A run that is still going keeps its tenants. */
export function isAbandoned(tenantId: string, now: number): boolean {
  const start = startOfRun(tenantId);
  return start !== null && now - start > ABANDONED_AFTER_MS;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
