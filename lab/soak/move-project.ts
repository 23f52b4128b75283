import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { expireUploads } from "./check-files.js";
import { runStowage } from "./command-line.js";
import type { LoadState, SoakProject } from "./load-state.js";

const KILLED_SHARE = 0.3;
const KILLED_WITHIN_MS = 100_000;
const TIMEOUT_MS = 600_000;
const PAUSE_MS = 5000;
/** Until then a process may not know that the project has moved. */
const KNOWN_AFTER_MS = 80_000;
/** What the command may never say here. */
const REFUSALS = /cannot be moved|Remove them first|runs version|nothing is deleted|public files/;
const EXPIRE_EVERY_MS = 5000;
/** An upload that the load does not know has ended by then, by the clock of every replica. */
const UNKNOWN_FOR_MS = 30_000;

export interface Moves {
  /** How often the project has moved. */
  count(): number;
  /** Ends the move that runs. The load has stopped. */
  stop(): Promise<void>;
}

/** Moves a project between the two storages again and again, while the load uses it. Some runs of the command are killed. */
export function startMoves(
  { sql, settings }: { sql: Sql; settings: Record<string, string> },
  project: SoakProject,
  state: LoadState,
): Moves {
  const stopping = new AbortController();
  let count = 0;

  /** Whether the project has moved, and its old copies are deleted. */
  async function hasMoved(to: string): Promise<boolean> {
    const rows = await sql`
      select 1 from projects where ref = ${project.ref} and coalesce(storage, 'first') = ${to}
        and not exists (select from storage_moves m where m.project_id = projects.id)`;
    return rows.length > 0;
  }

  /** Ends the URLs of uploads that the load has given up, because a move waits until they end. */
  async function expire(): Promise<void> {
    const pending = await sql<{ path: string; age_ms: number }[]>`
      select path, extract(epoch from now() - f.created_at)::float8 * 1000 as age_ms
      from files f join projects p on p.id = f.project_id where p.ref = ${project.ref} and f.status = 'pending'`;
    const ended = pending.filter(({ path, age_ms }) => {
      const known = state.files.get(path);
      return known ? !known.isBusy : age_ms > state.clockSpreadMs + UNKNOWN_FOR_MS;
    });
    for (const { path } of ended) {
      const known = state.files.get(path);
      if (known) known.isExpired = true;
    }
    await expireUploads(
      sql,
      ended.map(({ path }) => path),
    );
  }

  async function run(to: string): Promise<void> {
    const isKilled = !stopping.signal.aborted && state.random.next() < KILLED_SHARE;
    const limitMs = isKilled ? state.random.below(KILLED_WITHIN_MS) : TIMEOUT_MS;
    state.mayHaveMade.audit_log++;
    const running = runStowage(settings, ["project", "move-storage", project.ref, "--to", to], limitMs);
    const ended = new AbortController();
    const expiring = (async () => {
      while (!ended.signal.aborted) {
        await expire().catch(() => undefined);
        await sleep(EXPIRE_EVERY_MS);
      }
    })();
    const { code, lines } = await running;
    ended.abort();
    await expiring;
    // Without the database, and while a killed run keeps the others away, the command says so and ends.
    if (code !== 0 && REFUSALS.test(lines.join()))
      state.onWrong(`move-storage ended with ${code}: ${lines.slice(-3).join()}`);
  }

  /** Moves the project, and deletes the old copies as if the URLs that were signed before had ended. */
  async function move(to: string): Promise<void> {
    do {
      await run(to);
      await sql`
        update storage_moves set urls_end_at = state_since + ${`${KNOWN_AFTER_MS} ms`}::interval where state = 'settling'`.catch(
        () => undefined,
      );
      await sleep(PAUSE_MS);
    } while (!(await hasMoved(to).catch(() => false)));
    count++;
  }

  async function work(): Promise<void> {
    for (let n = 1; !stopping.signal.aborted; n++) {
      await move(n % 2 === 1 ? "second" : "first");
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const working = work();
  return {
    count: () => count,
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
