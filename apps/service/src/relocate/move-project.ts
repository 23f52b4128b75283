import { limits, StowageError } from "@stowage/schemas";
import type { ProjectActor } from "#audit/caller.js";
import { type AuditEntry, auditedTransaction } from "#audit/write-audit.js";
import type { Queries } from "#db/client.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { MINUTE_MS, SECOND_MS } from "#lib/time.js";
import type { StoredObject } from "#object-store/object-store.js";
import type { Transfer } from "#object-store/transfer.js";
import { lockProject } from "#projects/lock-project.js";
import { type MoveTimes, moveTimes } from "#projects/moving-projects.js";
import {
  type BeginMoveDeps,
  beginMove,
  checkParts,
  checkPublicFiles,
  type MoveInput,
  readStorage,
  refuse,
  requireOneVersion,
  storageOf,
} from "./begin-move.js";
import { copyLateObjects, copyObjects, type CopyObjectsDeps, lookAgain, prefixOf } from "./copy-objects.js";
import {
  claimMoveRecord,
  deleteMove,
  giveClaimBack,
  keepClaim,
  type MoveRecord,
  type MoveRun,
  type ObjectPlace,
  readMove,
  startCopying,
  startSettling,
  turnAround,
} from "./move-record.js";
import { removeObjectsBelow } from "./remove-objects-below.js";

export interface MoveProjectDeps extends BeginMoveDeps {
  /** A name for this run, which no other run has. */
  runner: string;
  /** @param onRefused is called if storage does not copy inside, with the reason */
  openTransfer(
    from: string,
    to: string,
    place: ObjectPlace[0],
    onRefused: (reason: string) => void,
  ): Promise<Transfer>;
  sleep(ms: number): Promise<unknown>;
  /** @default those of production */
  times?: RunTimes;
}

export interface RunTimes extends MoveTimes {
  /** For how long a killed run keeps others away. */
  leaseMs: number;
  /** The clocks of the replicas may differ by this. */
  skewMs: number;
  /** The pause before the command looks again at what it waits for. */
  pollMs: number;
}

const runTimes: RunTimes = {
  ...moveTimes,
  leaseMs: 30 * SECOND_MS,
  skewMs: 5 * MINUTE_MS,
  pollMs: 5 * SECOND_MS,
};

export type MoveProgress =
  | { step: "claim"; untilMs: number }
  | { step: "preparing"; remainingMs: number }
  | { step: "copying"; objects: number; bytes: number }
  /** One server has both buckets, and does not copy from one to the other: this process sends the bytes. */
  | { step: "sending"; reason: string }
  | { step: "uploads"; uploads: number }
  | { step: "settling"; urlsEndAt: Date }
  | { step: "removing"; objects: number };

/** `settling`: the project has moved, and the old copies can be deleted from `urlsEndAt` on. */
export type MoveOutcome = { state: "settling"; to: string; urlsEndAt: Date } | { state: "done"; to: string };

/**
 * Moves a project to another storage while it is used, or goes on with its move. A run that is killed at any moment can be repeated.
 *
 * @throws {StowageError} `invalid_request` with a sentence that says why the project cannot be moved; `not_found`; `unavailable`
 */
export async function moveProject(
  deps: MoveProjectDeps,
  actor: ProjectActor,
  input: MoveInput,
  report: (progress: MoveProgress) => void,
): Promise<MoveOutcome> {
  const times = deps.times ?? runTimes;
  await beginMove(deps, actor.project, input);
  const run = { project: actor.project, runner: deps.runner, leaseMs: times.leaseMs };
  await claim(deps, run, times, report);
  const heartbeat = setInterval(() => void keepClaim(deps.db, run).catch(() => undefined), times.leaseMs / 4);
  try {
    return await goOn({ deps, actor, run, times, report }, input);
  } finally {
    clearInterval(heartbeat);
    await giveClaimBack(deps.db, run).catch(() => undefined);
  }
}

/** Waits for a run that was killed. A run that goes on keeps its claim. */
async function claim(
  deps: MoveProjectDeps,
  run: MoveRun,
  times: RunTimes,
  report: (progress: MoveProgress) => void,
): Promise<void> {
  for (let waitedMs = 0; !(await claimMoveRecord(deps.db, run)); waitedMs += times.pollMs) {
    if (waitedMs > 2 * times.leaseMs)
      throw new StowageError("unavailable", { detail: "Another command is moving this project" });
    if (waitedMs === 0) report({ step: "claim", untilMs: times.leaseMs });
    await deps.sleep(times.pollMs);
  }
}

/** A run of the command, and what it says. */
interface Running {
  deps: MoveProjectDeps;
  actor: ProjectActor;
  run: MoveRun;
  times: RunTimes;
  report: (progress: MoveProgress) => void;
}

/** Does what is next until the move has ended, or only the end of URLs is missing. */
async function goOn(running: Running, { to, waits }: MoveInput): Promise<MoveOutcome> {
  const { deps, run, report } = running;
  if (to === null) await takeBack(running);
  for (;;) {
    const move = await readMove(deps.db, run.project);
    if (!move) throw refuse("The move has ended");
    if (to !== null && move.to !== to) throw refuse(`Another command moves the project to ${move.to}`);
    if (move.state === "preparing") await prepare(running, move);
    else if (move.state === "copying") {
      await copyAll(running, move);
      await switchStorage(running, move);
    } else if (move.urlsEndInMs! <= 0) {
      await removeOldCopies(running, move);
      return { state: "done", to: move.to };
    } else {
      report({ step: "settling", urlsEndAt: move.urlsEndAt! });
      if (!waits) return { state: "settling", to: move.to, urlsEndAt: move.urlsEndAt! };
      await deps.sleep(Math.min(move.urlsEndInMs!, MINUTE_MS));
    }
  }
}

/** After this time every process knows the state of a move, and no call goes on that began without. */
const knownAfterMs = ({ maxAgeMs, longestCallMs }: RunTimes) => maxAgeMs + longestCallMs;

/** From now on the project moves to the storage that it belongs to. */
async function takeBack(running: Running): Promise<void> {
  const { deps, run } = running;
  const move = await readMove(deps.db, run.project);
  if (!move || (await readStorage(deps, run.project)) === move.to) return;
  // What a killed run was copying is looked at in the direction in which it was copied.
  await withBuckets(running, move, (buckets) => lookAtInterrupted(running, buckets));
  await turnAround(deps.db, run);
}

async function prepare({ deps, run, times, report }: Running, { ageMs, to }: MoveRecord): Promise<void> {
  const remainingMs = knownAfterMs(times) - ageMs;
  if (remainingMs <= 0) {
    await requireOneVersion(deps);
    // A process that did not know of the move yet may have begun an upload. A move that is taken back has no such copies to make.
    if ((await readStorage(deps, run.project)) !== to)
      await checkParts(deps, run.project, storageOf(deps, to));
    return startCopying(deps.db, run);
  }
  report({ step: "preparing", remainingMs });
  await deps.sleep(Math.min(remainingMs, times.pollMs));
}

/** Copies until the old storage has nothing that the new one lacks, and nothing can be written there any more. */
function copyAll(running: Running, move: MoveRecord): Promise<void> {
  const { deps, times } = running;
  return withBuckets(running, move, async (buckets) => {
    await lookAtInterrupted(running, buckets);
    let publicCopiedAt: number | null = null;
    for (;;) {
      // A file that becomes private is taken back at the old storage until its public copy is at the new one.
      const isPublicOver =
        publicCopiedAt !== null && performance.now() - publicCopiedAt >= times.longestCallMs;
      const isLastPass = isPublicOver && (await haveUploadsEnded(running, move));
      const found = { public: 0, private: 0 };
      for (const bucket of buckets) found[bucket.place] = await copyObjects(bucket);
      if (isLastPass) break;
      const isFirstPass = publicCopiedAt === null;
      publicCopiedAt ??= found.public === 0 ? -Infinity : performance.now();
      if (!isFirstPass || found.public > 0) await deps.sleep(times.pollMs);
    }
    await lookAtInterrupted(running, buckets);
  });
}

/** Whether no upload is open that began at the old storage, and none can begin there. */
async function haveUploadsEnded({ deps, run, times, report }: Running, move: MoveRecord): Promise<boolean> {
  const ageMs = (await readMove(deps.db, run.project))?.ageMs ?? 0;
  const remainingMs = knownAfterMs(times) - ageMs;
  if (remainingMs > 0) {
    report({ step: "preparing", remainingMs });
    return false;
  }
  const startedBefore = new Date(move.stateSince.getTime() + knownAfterMs(times) + times.skewMs);
  const rows = await deps.db.execute<{ path: string; uploadId: string | null }>(OPEN_UPLOADS, [
    run.project.id,
    startedBefore.toISOString(),
  ]);
  const { store } = storageOf(deps, move.to);
  let uploads = 0;
  await forEachBounded(rows, MAX_CONCURRENT, async ({ path, uploadId }) => {
    if (uploadId === null || (await store.listParts({ path, uploadId }, 0)) === null) uploads++;
  });
  if (uploads > 0) report({ step: "uploads", uploads });
  // A full page may not show all of them.
  return uploads === 0 && rows.length < MAX_OPEN_UPLOADS;
}

const MAX_OPEN_UPLOADS = 10_000;

const OPEN_UPLOADS = `
select path, multipart ->> 'uploadId' as "uploadId" from files
where project_id = $1::bigint and status = 'pending' and created_at < $2::timestamptz
  and (part_size is null or multipart ->> 'uploadId' is not null)
limit ${MAX_OPEN_UPLOADS}`;

/** The project belongs to the new storage from now on. */
async function switchStorage({ deps, actor, run, times }: Running, { from, to }: MoveRecord): Promise<void> {
  const { project } = run;
  const isMoved = (await readStorage(deps, project)) !== to;
  if (isMoved) await checkPublicFiles(deps, project, storageOf(deps, from), storageOf(deps, to), true);
  const urlsEndInMs = knownAfterMs(times) + limits.maxDownloadUrlSeconds * SECOND_MS;
  const entry: AuditEntry = {
    action: "project.storage_changed",
    projectId: project.id,
    details: { storage_before: from, storage: to },
  };
  await auditedTransaction({ db: deps.db as Queries, clock: deps.clock }, actor, async ({ db }, tx) => {
    await lockProject(tx, project);
    await startSettling(db, run, { to, urlsEndInMs });
    return { result: undefined, entry: isMoved ? entry : null };
  });
}

async function removeOldCopies(running: Running, move: MoveRecord): Promise<void> {
  const { deps, run, report } = running;
  const { from, to } = move;
  if ((await readStorage(deps, run.project)) !== to)
    throw refuse(`The project is not in the storage ${to}, so nothing is deleted`);
  await withBuckets(running, move, async (buckets) => {
    await lookAtInterrupted(running, buckets);
    for (const bucket of buckets) if (bucket.place === "private") await copyLateObjects(bucket);
  });
  const { store } = storageOf(deps, from);
  let objects = 0;
  await removeObjectsBelow(store, prefixOf(run.project), () => {
    objects++;
    if (objects % REPORTED_OBJECTS === 0) report({ step: "removing", objects });
  });
  await deleteMove(deps.db, run);
}

async function lookAtInterrupted({ deps, run }: Running, buckets: CopyObjectsDeps[]): Promise<void> {
  const move = await readMove(deps.db, run.project);
  await forEachBounded(move?.interrupted ?? [], MAX_CONCURRENT, async ([place, path]) => {
    const bucket = buckets.find((one) => one.place === place);
    if (bucket) await lookAgain(bucket, path);
  });
}

/** The public bucket comes first: an object comes back into the private one when its file becomes private. */
async function withBuckets<T>(
  { deps, run, report }: Running,
  move: MoveRecord,
  work: (buckets: CopyObjectsDeps[]) => Promise<T>,
): Promise<T> {
  const [from, to] = [storageOf(deps, move.from).store, storageOf(deps, move.to).store];
  const copied = { objects: 0, bytes: 0 };
  const onCopied = ({ sizeBytes }: StoredObject) => {
    copied.objects++;
    copied.bytes += sizeBytes;
    if (copied.objects % REPORTED_OBJECTS === 0) report({ step: "copying", ...copied });
  };
  const opened: Transfer[] = [];
  const open = async (place: ObjectPlace[0], ends: Pick<CopyObjectsDeps, "from" | "to">) => {
    const transfer = await deps.openTransfer(move.from, move.to, place, (reason) =>
      report({ step: "sending", reason }),
    );
    opened.push(transfer);
    const { db, clock } = deps;
    const onBatch = (paths: string[]) =>
      keepClaim(
        db,
        run,
        paths.map((path) => [place, path]),
      );
    const copy: CopyObjectsDeps["copy"] = (...args) => transfer.copy(...args).catch(throwStopped);
    return { db, clock, project: run.project, place, ...ends, copy, onBatch, onCopied };
  };
  try {
    const buckets =
      from.published && to.published
        ? [await open("public", { from: from.published, to: to.published })]
        : [];
    return await work([...buckets, await open("private", { from, to })]);
  } finally {
    for (const transfer of opened) transfer.close();
  }
}

const MAX_CONCURRENT = 16;

const REPORTED_OBJECTS = 1000;

function throwStopped(cause: unknown): never {
  if (cause instanceof StowageError) throw cause;
  throw new StowageError("unavailable", { cause });
}
