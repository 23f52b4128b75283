import { expect } from "vitest";
import { createDownload } from "#deliver/create-download.js";
import type { World } from "../fixtures/a-world.js";
import { codeOf, type Requested } from "./model.js";
import { verdictOfClamd } from "./verdicts.js";

type Held = NonNullable<Requested["held"]>;

interface Row {
  path: string;
  status: Exclude<Held, "unknown">;
  held: boolean;
}

/** What can become of a file while it is on hold. */
const NEXT_WHILE_HELD: Record<Held, Row["status"][]> = {
  unknown: ["pending", "expired", "stored", "trashed"],
  pending: ["pending", "expired", "stored"],
  expired: ["expired", "stored"],
  stored: ["stored"],
  trashed: ["trashed", "stored"],
};

/** A file on hold keeps its row, and never goes from storage to the trash. */
export async function expectHeldToStay(world: World, all: Requested[]): Promise<void> {
  const held = all.filter((requested) => requested.held !== null);
  if (held.length === 0) return;
  const rows = await world.rows<Row>(`select path, status, held from files where path = any($1::text[])`, [
    pathsOf(held),
  ]);
  const byPath = new Map(rows.map((row) => [row.path, row]));
  for (const requested of held) {
    const row = byPath.get(requested.filePath);
    expect(NEXT_WHILE_HELD[requested.held!]).toContain(row?.status);
    expect(row!.held).toBe(true);
    requested.held = row!.status;
  }
}

/** While nothing else runs, storage tells exactly which bytes a download would hand out. */
export async function expectNoForbiddenDownload({ deps }: World, requested: Requested): Promise<void> {
  const { project, filePath, endsAt, deleted } = requested;
  const now = deps.clock();
  const download = createDownload({ ...deps, settling: deps }, project, { filePath });
  const outcome = await download.then(() => "done", codeOf);
  if (outcome !== "done") return;
  expect({ isDeleted: deleted !== null, isExpired: endsAt !== null && now >= endsAt }).toEqual({
    isDeleted: false,
    isExpired: false,
  });
  const { etag, sizeBytes } = (await deps.store.head(filePath))!;
  const { scan } = project.settings;
  if (scan === "off") return;
  const verdicts =
    scan === "clamav" ? [verdictOfClamd(requested, { etag, sizeBytes })] : requested.verdicts.get(etag);
  expectDownloadable(requested, verdicts ?? []);
}

/** @param verdicts that may count for the bytes */
export function expectDownloadable({ project }: Requested, verdicts: Iterable<string>): void {
  const { allowUnscannable } = project.settings;
  const isAllowed = [...verdicts].some(
    (verdict) => verdict === "clean" || (verdict === "unscannable" && allowUnscannable),
  );
  expect({ verdicts: [...verdicts], isAllowed }).toMatchObject({ isAllowed: true });
}

/** No file is left whose time is over, and no tenant whose deletion was started. */
export async function expectNothingLate(world: World, all: Requested[]): Promise<void> {
  const late = `select path, status from files
    where path = any($1::text[]) and coalesce(purge_at, expires_at) <= $2 and status in ('stored', 'trashed')`;
  expect(await world.rows(late, [pathsOf(all), world.deps.clock().toISOString()])).toEqual([]);
  const projects = `{${[...new Set(all.map(({ project }) => project.id))].join(",")}}`;
  const deleting = `select tenant_id from tenants where project_id = any($1::bigint[]) and next_purge_at is not null`;
  expect(await world.rows(deleting, [projects])).toEqual([]);
}

/** A file that was deleted with its tenant has no history. */
export async function expectForgotten(world: World, all: Requested[]): Promise<void> {
  const paths = pathsOf(all.filter(({ isForgotten }) => isForgotten));
  const known = `select path from files where path = any($1::text[])
    union all select path from file_events where path = any($1::text[])`;
  expect(await world.rows(known, [paths])).toEqual([]);
}

function pathsOf(files: Requested[]): string {
  return `{${files.map(({ filePath }) => filePath).join(",")}}`;
}
