import type { Queries } from "#db/client.js";
import { addMs } from "#lib/time.js";
import type { Places } from "./places.js";
import type { WorkKind } from "./work-kinds.js";

export interface WorkDeps {
  db: Queries;
  clock: () => Date;
  /** Only rows of these projects are claimed. @default those of all projects */
  scope?: { owns(projectId: number): Promise<boolean> } | undefined;
}

/** Where a worker is among the projects. All places of a worker share it. */
export interface WorkTurn {
  /** The project whose row was claimed last; 0 at first. */
  afterProject: number;
  /** A claim takes a place of its project, and the worker gives it back when the work has ended. @default any number of places */
  places?: Places<number>;
}

/** A row that one process has claimed until the end of its lease. */
export interface WorkClaim {
  projectId: number;
  key: number | string;
  /** A later claim of the same row has another number, and ends this one. */
  number: number | string;
  /** Tries in succession that failed before. */
  failures: number;
}

export interface ClaimOptions {
  /** Called before a row of a project is claimed. False: the rows of this project must not be claimed now. @default all may be */
  mayClaim?: (projectId: number) => Promise<boolean>;
  /** Called if none of the rows of a project that are due could be claimed: other processes claim them, or they are not ready. */
  onNone?: (projectId: number) => Promise<void>;
}

/** The queue of one kind of work. @throws {StowageError} `unavailable` from every call */
export interface WorkQueue<Columns> {
  /**
   * Claims a row that is due. Processes go from project to project, so a project with a million rows delays no other one by more than
   * one.
   *
   * @returns null if none is due
   */
  claimNext(deps: WorkDeps, turn: WorkTurn, options?: ClaimOptions): Promise<(WorkClaim & Columns) | null>;
  /**
   * Claims up to `most` rows of one project that are due, so a project delays no other one by more than one batch. All of them take one
   * of the places.
   *
   * @returns an empty list if none is due
   */
  claimBatch(
    deps: WorkDeps,
    turn: WorkTurn,
    most: number,
    options?: ClaimOptions,
  ): Promise<(WorkClaim & Columns)[]>;
  /** Claims this row. @returns null if it is not due, or another process is claiming it */
  claimOne(deps: WorkDeps, projectId: number, key: number | string): Promise<(WorkClaim & Columns) | null>;
  /** Extends the lease. @returns false if the claim is over */
  renew(deps: WorkDeps, claim: WorkClaim): Promise<boolean>;
  /** Ends a claim that has not failed. Another process may claim the row after the pause. @param pauseMs @default 0 */
  giveBack(deps: WorkDeps, claim: WorkClaim, pauseMs?: number): Promise<void>;
  /**
   * Ends a claim that has failed. The pause grows with the failures. There is no last try.
   *
   * @param longestPauseMs @default the kind's longest pause
   */
  retryLater(deps: WorkDeps, claim: WorkClaim, longestPauseMs?: number): Promise<void>;
}

export function createWorkQueue<Columns extends object = object>(kind: WorkKind): WorkQueue<Columns> {
  const statements = statementsOf(kind);
  const leaseFrom = (now: Date) => addMs(now, kind.leaseMs);

  async function claim(
    { db, clock }: WorkDeps,
    projectId: number,
    which: { key: number | string } | { most: number },
  ): Promise<(WorkClaim & Columns)[]> {
    const now = clock();
    const leaseUntil = leaseFrom(now).toISOString();
    const values = [projectId, now.toISOString(), leaseUntil];
    const rows = await ("key" in which
      ? db.execute<WorkClaim & Columns>(statements.claimOne, [...values, which.key])
      : db.execute<WorkClaim & Columns>(statements.claimNext, [...values, which.most]));
    return kind.hasCounters ? rows : rows.map((row) => ({ ...row, number: leaseUntil, failures: 0 }));
  }

  async function moveTo({ db }: WorkDeps, claim: WorkClaim, to: Date, failures = 0): Promise<boolean> {
    const rows = await db.execute(statements.move, [
      claim.projectId,
      claim.key,
      claim.number,
      to.toISOString(),
      ...(kind.hasCounters ? [failures] : []),
    ]);
    return rows.length > 0;
  }

  const claimBatch: WorkQueue<Columns>["claimBatch"] = async (
    deps,
    turn,
    most,
    { mayClaim, onNone } = {},
  ) => {
    let isSecondRound = turn.afterProject === 0;
    for (;;) {
      const values = [turn.afterProject, deps.clock().toISOString()];
      const [next] = await deps.db.execute<{ projectId: number }>(statements.findProject, values);
      turn.afterProject = next?.projectId ?? 0;
      if (!next) {
        if (isSecondRound) return [];
        isSecondRound = true;
      } else if (deps.scope && !(await deps.scope.owns(next.projectId))) {
        continue;
      } else if (!turn.places || turn.places.take(next.projectId)) {
        let claimed: (WorkClaim & Columns)[] = [];
        try {
          if (mayClaim && !(await mayClaim(next.projectId))) continue;
          claimed = await claim(deps, next.projectId, { most });
          if (claimed.length > 0) return claimed;
          await onNone?.(next.projectId);
        } finally {
          if (claimed.length === 0) turn.places?.give(next.projectId);
        }
      }
    }
  };

  return {
    claimNext: async (deps, turn, options) => (await claimBatch(deps, turn, 1, options))[0] ?? null,
    claimBatch,
    claimOne: async (deps, projectId, key) => (await claim(deps, projectId, { key }))[0] ?? null,
    renew: (deps, claim) => moveTo(deps, claim, leaseFrom(deps.clock())),
    giveBack: async (deps, claim, pauseMs = 0) => {
      await moveTo(deps, claim, addMs(deps.clock(), pauseMs));
    },
    retryLater: async (deps, claim, longestMs) => {
      const { pauses } = kind;
      const pauseMs = pauses
        ? pauseAfter(claim.failures, { ...pauses, ...(longestMs !== undefined && { longestMs }) })
        : 0;
      await moveTo(deps, claim, addMs(deps.clock(), pauseMs), 1);
    },
  };
}

/** How long to wait after another failure. @param failures those before, in succession */
export function pauseAfter(
  failures: number,
  { firstMs, longestMs }: NonNullable<WorkKind["pauses"]>,
): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20));
}

/** The rows of a kind that are due at `$n`. */
const isDue = ({ condition, dueAt }: WorkKind, n: number) =>
  `${condition ? `${condition} and ` : ""}t.${dueAt} <= $${n}::timestamptz`;

function statementsOf(kind: WorkKind) {
  const { table, project, key, dueAt, hasCounters, columns, join, isReady, batchLimit } = kind;
  const ofProject = `t.${project} = $1::bigint`;
  const counters = hasCounters ? `, t.claim as number, t.failures` : "";
  const claim = `
update ${table} t set ${dueAt} = $3::timestamptz${hasCounters ? ", claim = t.claim + 1" : ""}
${join ? `from ${join.table} ` : ""}where ${ofProject} and ${join ? `${join.on} and ` : ""}${isDue(kind, 2)}`;
  const returning = `
returning t.${project} as "projectId", t.${key} as key${counters}${columns ? `, ${columns}` : ""}`;
  const isJoined = isReady !== undefined || batchLimit !== undefined;
  const due = `
  select t.${key}${batchLimit ? `, t.${dueAt} as due, ${batchLimit.of} as share` : ""}
  from ${table} t${isJoined ? ` join ${join!.table} on ${join!.on}` : ""}
  where ${ofProject} and ${isDue(kind, 2)}${isReady ? ` and ${isReady}` : ""}
  order by t.${dueAt} limit $4::integer for update of t skip locked`;
  /* Rows beyond the limit are unlocked at the end of the statement. */
  const batch = batchLimit
    ? `
  select s.${key} from (
    select d.${key}, sum(d.share) over (order by d.due, d.${key}) - d.share as earlier from (${due}) d) s
  where s.earlier < ${batchLimit.most}`
    : due;
  return {
    /* Without locks, because Citus locks rows only on one shard. */
    findProject: `
select t.${project} as "projectId" from ${table} t
where t.${project} > $1::bigint and ${isDue(kind, 2)}
order by t.${project}, t.${dueAt} limit 1`,
    /* An array, because PostgreSQL may run a subquery after `in` once for each row, and would then claim several. */
    claimNext: `${claim} and t.${key} = any(array(${batch}))${returning}`,
    claimOne: `${claim} and t.${key} = $4${returning}`,
    move: `
update ${table} t set ${dueAt} = $4::timestamptz${hasCounters ? ", failures = t.failures + $5::integer" : ""}
where ${isClaimed(kind)} returning t.${key}`,
  };
}

/** Whether a row is the one of a claim that is not over. Parameters: `$1` the project, `$2` the key, `$3` the number of the claim. */
export function isClaimed({ project, key, dueAt, hasCounters, condition }: WorkKind): string {
  const number = hasCounters ? "t.claim = $3::integer" : `t.${dueAt} = $3::timestamptz`;
  return `t.${project} = $1::bigint and t.${key} = $2 and ${number}${condition ? ` and ${condition}` : ""}`;
}
