import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { webhookEventTypes } from "@stowage/schemas";
import { openDatabase } from "@stowage/service/src/db/client.js";
import { deleteFiles } from "@stowage/service/src/files/delete/delete-files.js";
import { endFiles } from "@stowage/service/src/files/lifecycle/end-files.js";
import { restoreFiles } from "@stowage/service/src/files/lifecycle/restore-files.js";
import { updateFile } from "@stowage/service/src/files/organise/update-file.js";
import { completeUpload } from "@stowage/service/src/files/settle/complete-upload.js";
import { createBatchedMarkStored } from "@stowage/service/src/files/settle/mark-stored.js";
import { createBatchedAdmit } from "@stowage/service/src/files/upload/admit-uploads.js";
import { MINUTE_MS, SECOND_MS } from "@stowage/service/src/lib/time.js";
import { updateProject } from "@stowage/service/src/projects/update-project.js";
import { expireMissing } from "@stowage/service/src/reconcile/expire-missing.js";
import { recordVerdict } from "@stowage/service/src/scans/record-verdict.js";
import { setLimits } from "@stowage/service/src/tenants/set-limits.js";
import { fanOutProject } from "@stowage/service/src/webhooks/fan-out-events.js";
import { aWorld, put, type World } from "@stowage/service/test/fixtures/a-world.js";
import { aKillPointProxy, type KillPointProxy } from "@stowage/service/test/faults/a-kill-point.js";

type Deps = World["deps"];
type Project = Awaited<ReturnType<World["project"]>>;

/** A change that has to write an event. */
interface Change {
  type: string;
  /** Makes the change. Safe to repeat: after a failure the service, or its caller, does it again. */
  make(deps: Deps): Promise<unknown>;
  /** Of the file or tenant, in SQL: whether the change has been made. */
  isMade: string;
}

/** More than any change has. */
const MAX_STATEMENTS = 40;

let world: World;
let killer: KillPointProxy;
let killed: Deps;

beforeAll(async () => {
  world = await aWorld();
  killer = await aKillPointProxy(world.databaseUrl);
  const db = openDatabase({ url: killer.url, poolSize: 4, timeoutMs: 60_000 });
  const batching = { isSeparate: () => inject("citus") !== null };
  killed = {
    ...world.deps,
    db,
    admit: createBatchedAdmit(db, batching),
    markStored: createBatchedMarkStored(
      { db, clock: world.deps.clock, defaultQuotaBytes: null, defaultLimits: {} },
      batching,
    ),
  };
});
afterAll(async () => {
  await killed.db.close();
  await killer.close();
  await world.close();
});

const changes: Record<string, (project: Project) => Promise<Change>> = {
  "a settle": async (project) => {
    const path = await anUpload(project);
    return {
      type: "file.stored",
      make: (deps) => completeUpload(deps, project, { filePath: path }),
      isMade: "exists (select from files where project_id = $1 and status = 'stored')",
    };
  },
  "a delete": async (project) => {
    const paths = [await aStoredFile(project)];
    return {
      type: "file.deleted",
      make: (deps) => deleteFiles(deps, project, { paths, tenantId: undefined, mustExist: false }),
      isMade: "not exists (select from files where project_id = $1 and status = 'stored')",
    };
  },
  "a delete into the trash": async (project) => {
    const paths = [await aStoredFile(project)];
    await updateProject(world.deps, project.ref, { trashDays: 30 });
    return {
      type: "file.deleted",
      make: (deps) => deleteFiles(deps, project, { paths, tenantId: undefined, mustExist: false }),
      isMade: "exists (select from files where project_id = $1 and status = 'trashed')",
    };
  },
  "a restore": async (project) => {
    const paths = [await aStoredFile(project)];
    await updateProject(world.deps, project.ref, { trashDays: 30 });
    await deleteFiles(world.deps, project, { paths, tenantId: undefined, mustExist: true });
    return {
      type: "file.restored",
      make: (deps) => restoreFiles(deps, project, { paths, tenantId: undefined, mustExist: false }),
      isMade: "exists (select from files where project_id = $1 and status = 'stored')",
    };
  },
  "the end of a file that expires": async (project) => {
    await aStoredFile(project, { expires_after: 60 });
    world.advance(MINUTE_MS + SECOND_MS);
    return {
      type: "file.deleted",
      make: endFiles,
      isMade: "not exists (select from files where project_id = $1 and status = 'stored')",
    };
  },
  "the loss of an object": async (project) => {
    const path = await aStoredFile(project);
    await world.deps.store.remove(path);
    return {
      type: "file.expired",
      make: (deps) => expireMissing(deps, project.id, path),
      isMade: "exists (select from files where project_id = $1 and status = 'expired')",
    };
  },
  "an update": async (project) => {
    const filePath = await aStoredFile(project);
    return {
      type: "file.updated",
      make: (deps) =>
        updateFile({ ...deps, settling: deps }, project, {
          filePath,
          tenantId: undefined,
          filename: "renamed.txt",
        }),
      isMade: "exists (select from files where project_id = $1 and filename = 'renamed.txt')",
    };
  },
  "a verdict": async (project) => {
    await updateProject(world.deps, project.ref, { scan: "external" });
    const path = await aStoredFile(project);
    const [row] = await world.rows<{ id: number; etag: string }>(
      `select id::float8, etag from files where path = $1`,
      [path],
    );
    const file = { projectId: project.id, id: row!.id };
    const verdict = { etag: row!.etag, verdict: "infected", signature: "Eicar-Test" } as const;
    return {
      type: "file.scanned",
      make: (deps) => recordVerdict(deps, file, verdict),
      isMade: "exists (select from files where project_id = $1 and scan_status = 'infected')",
    };
  },
  "the first upload of a tenant": async (project) => ({
    type: "tenant.created",
    make: ({ admit }) => world.upload(project, { size: 1 }, undefined, { admit }),
    isMade: "exists (select from tenants where project_id = $1)",
  }),
  "an upload that is refused": async (project) => {
    await world.upload(project, { size: 1 });
    await setLimits(world.deps, project, { tenantId: "t", quotaBytes: 5 });
    return {
      type: "tenant.quota_reached",
      make: ({ admit }) => world.upload(project, { size: 9 }, undefined, { admit }),
      isMade: "exists (select from tenants where project_id = $1 and quota_needs_bytes is not null)",
    };
  },
  "a larger quota": async (project) => {
    await world.upload(project, { size: 1 });
    await setLimits(world.deps, project, { tenantId: "t", quotaBytes: 1 });
    await world.upload(project, { size: 9 }).catch(() => undefined);
    return {
      type: "tenant.quota_cleared",
      make: (deps) => setLimits(deps, project, { tenantId: "t", quotaBytes: 50 }),
      isMade: "exists (select from tenants where project_id = $1 and quota_needs_bytes is null)",
    };
  },
};

describe("whichever statement a kill follows, the event is written if and only if the change is made, and once after a repeat", () => {
  test.each(Object.keys(changes))("%s", async (name) => {
    let statements = 0;
    while (await isKilledAfter(name, statements + 1)) statements++;
    expect(statements).toBeGreaterThan(0);
    expect(statements).toBeLessThan(MAX_STATEMENTS);
  });
});

/** Makes the change on a new project, and breaks it off after so many statements. @returns false if it has fewer */
async function isKilledAfter(name: string, statements: number): Promise<boolean> {
  const project = await world.project();
  await world.rows(
    `insert into webhook_endpoints (project_id, ref, url, description, events, secret, created_at)
     values ($1, gen_random_uuid()::text, 'https://example.com', '', string_to_array($2, ' '), 's', now())`,
    [project.id, webhookEventTypes.join(" ")],
  );
  const { type, make, isMade } = await changes[name]!(project);
  let seen = 0;
  const reached = killer.reaches({ moment: "after", statement: { test: () => ++seen === statements } });
  const made = make(killed).then(
    () => "made",
    () => "failed",
  );
  const isKilled = (await Promise.race([reached.then(() => "killed"), made])) === "killed";
  killer.cut();
  await made;
  expect(await told(project, type, isMade)).toEqual(
    isKilled ? expect.toBeOneOf(["neither", "both"]) : "both",
  );
  await make(world.deps).catch(() => undefined);
  expect(await told(project, type, isMade)).toBe("both");
  await fanOutProject(world.deps.db, project.id);
  const events = await world.rows(`select from webhook_events where project_id = $1 and type = $2`, [
    project.id,
    type,
  ]);
  expect(events).toHaveLength(1);
  return isKilled;
}

/** Reads the change and the outbox in one statement. */
async function told({ id }: Project, type: string, isMade: string): Promise<string> {
  const [row] = await world.rows<{ made: boolean; written: boolean }>(
    `select ${isMade} as made,
       exists (select from webhook_outbox where project_id = $1 and type = $2) as written`,
    [id, type],
  );
  const { made, written } = row!;
  if (made !== written) return made ? "made, not told" : "told, not made";
  return made ? "both" : "neither";
}

async function anUpload(project: Project, body: object = {}): Promise<string> {
  const upload = await world.upload(project, { size: 5, ...body });
  expect(await put(upload, "hello")).toBe(200);
  return upload.filePath;
}

async function aStoredFile(project: Project, body: object = {}): Promise<string> {
  const path = await anUpload(project, body);
  await world.complete(project, path);
  return path;
}
