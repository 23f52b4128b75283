import { StowageError } from "@stowage/schemas";
import { createHash } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { inject } from "vitest";
import { aWorld, type World } from "../fixtures/a-world.js";
import { aReplica, type Replica } from "./a-replica.js";
import { aScene, type Scene, type SceneKind } from "./a-scene.js";
import type { Choose } from "./explore.js";
import { type Answer, findWrongAnswers } from "./answers.js";
import { findFinalViolations, findViolations, findWrongChanges, readVisible } from "./invariants.js";
import { plantInDatabase, plantInModules } from "./plant.js";
import type { PlantedRace } from "./planted-races.js";
import { type RememberedScene, rememberScene, type State } from "./remember-scene.js";
import { createScheduler, type Step } from "./scheduler.js";
import { type VerbName, verbs } from "./verbs.js";

/** What a schedule starts from: verbs that meet in a scene. Each of them runs in a process of its own. */
export interface Meeting {
  kind: SceneKind;
  names: VerbName[];
}

/** A schedule after which something is not true. `SCHEDULE` repeats it: docs/simulation.md. */
export class RaceFound extends Error {
  override readonly name = "RaceFound";

  constructor({ kind, names }: Meeting, violations: string[], trace: readonly Step[]) {
    const steps = trace.map(
      ({ actor, label }, index) => `${String(index + 1).padStart(4)} ${actor} ${label}`,
    );
    const repeat = `SCHEDULE="${[kind, ...names, trace.map(({ actor }) => actor).join("")].join(", ")}"`;
    super([...violations, repeat, ...steps].join("\n"));
  }
}

export interface Simulation {
  /** @returns the steps that were taken @throws {RaceFound} */
  run(meeting: Meeting, choose: Choose): Promise<Step[]>;
  /** From now on the product has this fault. @param race @default none */
  plant(race?: PlantedRace): Promise<void>;
  close(): Promise<void>;
}

const ACTORS = ["A", "B", "C"] as const;

export async function aSimulation(): Promise<Simulation> {
  const world = await aWorld(null, inject("publicBucket")!);
  await waitForLocks(world);
  world.stopClock();
  const begin = world.deps.clock().getTime();
  // Beside the connections of the verbs: it sees what others can read.
  const sql = postgres(world.databaseUrl, { max: 1, onnotice: () => undefined });
  const scheduler = createScheduler((pids) => findBlocked(sql, pids));
  const replicas: Replica[] = [];
  for (const name of ACTORS) replicas.push(await aReplica(world, name, scheduler.gateOf(name)));
  const scenes = new Map<SceneKind, Scene & RememberedScene>();
  let current: RememberedScene | undefined;
  /** Of the current scene, if it has not changed since it was read. */
  let lastState: State | undefined;
  async function enter(kind: SceneKind) {
    let known = scenes.get(kind);
    if (current !== known || !known) await current?.leave();
    if (!known) {
      const scene = await aScene(world, kind);
      scenes.set(kind, (known = Object.assign(scene, await rememberScene(world, sql, scene))));
    }
    await known.reset(current === known ? lastState : undefined);
    [current, lastState] = [known, undefined];
    known.isExpired = false;
    return known;
  }
  /** The last steps of two schedules often leave the same rows and objects. The jobs then do the same work with them. */
  const soundStates = new Set<string>();
  let mend = () => Promise.resolve();

  return {
    async run(meeting, choose) {
      const scene = await enter(meeting.kind);
      const check = (violations: string[], trace: readonly Step[]) => {
        if (violations.length > 0) throw new RaceFound(meeting, violations, trace);
      };
      const failures: string[] = [];
      const outcomes = new Map<string, string>();
      const calls = meeting.names.map((name, index) => {
        const replica = replicas[index]!;
        replica.restart();
        const call = async () => {
          const outcome = await verbs[name](replica, scene).then(
            () => "done",
            (error: unknown) => codeOf(name, error),
          );
          outcomes.set(ACTORS[index]!, outcome);
          if (!isAnswer(outcome)) failures.push(`${name} failed: ${outcome}`);
        };
        return [ACTORS[index]!, call] as const;
      });
      try {
        let visible = await readVisible(sql, scene);
        const trace = await scheduler.run(Object.fromEntries(calls), choose, async (steps) => {
          if (!showsChanges(steps.at(-1)!)) return;
          const now = await readVisible(sql, scene);
          check([...findViolations(now, scene), ...findWrongChanges(visible, now)], steps);
          visible = now;
        });
        const answers = meeting.names.map((name, index): Answer => {
          const isOwn = ({ actor }: Step) => actor === ACTORS[index]!;
          const outcome = outcomes.get(ACTORS[index]!)!;
          return { name, outcome, firstStep: trace.findIndex(isOwn), lastStep: trace.findLastIndex(isOwn) };
        });
        check([...failures, ...(await findWrongAnswers(world, scene, answers))], trace);
        const state = await scene.read();
        const fingerprint = fingerprintOf(state);
        if (soundStates.has(fingerprint)) lastState = state;
        else check(await findFinalViolations(world, sql, scene), trace);
        soundStates.add(fingerprint);
        return trace;
      } finally {
        world.advance(begin - world.deps.clock().getTime());
      }
    },
    async plant(race) {
      await mend();
      plantInModules(race);
      mend = race ? await plantInDatabase(world, race) : () => Promise.resolve();
      await waitForLocks(world);
      soundStates.clear();
    },
    async close() {
      for (const replica of replicas) await replica.close();
      await sql.end();
      await world.close();
    },
  };
}

/** They wait for PostgreSQL most of the time. */
const SIMULATIONS = 4;

/** Simulations that run at the same time. */
export async function someSimulations(): Promise<Simulation[]> {
  const simulations: Simulation[] = [];
  while (simulations.length < SIMULATIONS) simulations.push(await aSimulation());
  return simulations;
}

/** Others see nothing of a statement before its commit. */
const showsChanges = ({ label }: Step) => /^commit\b/i.test(label);

const fingerprintOf = (state: State) =>
  createHash("sha256")
    .update(JSON.stringify([...state].sort()))
    .digest("base64");

/** A verb waits for a lock as long as the schedule wants it, also on a slow machine. */
async function waitForLocks(world: World): Promise<void> {
  await world.rows(
    `do $$ declare f regprocedure; begin
       for f in select oid::regprocedure from pg_proc where 'lock_timeout=1s' = any (proconfig) loop
         execute format('alter function %s set lock_timeout = 0', f);
       end loop;
     end $$`,
  );
}

async function findBlocked(sql: Sql, pids: number[]): Promise<number[]> {
  const rows = await sql.unsafe<{ pid: number }[]>(
    "select pid from unnest($1::text::int[]) as pid where cardinality(pg_blocking_pids(pid)) > 0",
    [`{${pids.join(",")}}`],
    { prepare: true },
  );
  return rows.map(({ pid }) => pid);
}

const codeOf = (name: VerbName, error: unknown) =>
  error instanceof StowageError && (error.code !== "unavailable" || MAY_BE_UNAVAILABLE.includes(name))
    ? error.code
    : `${String(error)} ${String((error as Error).cause ?? "")}`;

/** If another call is moving the file, or has changed its bytes, a job continues. */
const MAY_BE_UNAVAILABLE: VerbName[] = ["publish", "take back"];

/** An error of the catalogue tells the caller what is so, also in a race. `unavailable` only says that the service could not find out. */
const isAnswer = (outcome: string) => /^[a-z_]+$/.test(outcome);
