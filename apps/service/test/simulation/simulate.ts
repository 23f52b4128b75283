import { StowageError } from "@stowage/schemas";
import { inject } from "vitest";
import { aWorld, type World } from "../fixtures/a-world.js";
import { aReplica, type Replica } from "./a-replica.js";
import { aScene, rememberScene, type Scene, type SceneKind } from "./a-scene.js";
import type { Choose } from "./explore.js";
import { type Answer, findWrongAnswers } from "./answers.js";
import { findFinalViolations, findViolations } from "./invariants.js";
import { plantedRace, plantInDatabase } from "./plant.js";
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
  close(): Promise<void>;
}

const MAX_ACTORS = 3;
const actorName = (index: number) => "ABC"[index]!;

/** @param planted a fault of an SQL function. @default that of PLANT */
export async function aSimulation(planted = plantedRace()): Promise<Simulation> {
  const world = await aWorld(null, inject("publicBucket")!);
  await plantInDatabase(world, planted);
  await waitForLocks(world);
  world.stopClock();
  const begin = world.deps.clock().getTime();
  const scheduler = createScheduler((pids) => findBlocked(world, pids));
  const replicas: Replica[] = [];
  for (let index = 0; index < MAX_ACTORS; index++)
    replicas.push(await aReplica(world, scheduler.gateOf(actorName(index))));
  const scenes = new Map<SceneKind, { scene: Scene; reset(): Promise<void> }>();
  async function sceneOf(kind: SceneKind): Promise<Scene> {
    let known = scenes.get(kind);
    if (!known) {
      const scene = await aScene(world, kind);
      scenes.set(kind, (known = { scene, reset: await rememberScene(world, scene) }));
    }
    for (const { reset } of scenes.values()) await reset();
    known.scene.isExpired = false;
    return known.scene;
  }

  return {
    async run(meeting, choose) {
      const scene = await sceneOf(meeting.kind);
      const check = (violations: string[], trace: readonly Step[]) => {
        if (violations.length > 0) throw new RaceFound(meeting, violations, trace);
      };
      const failures: string[] = [];
      const outcomes = new Map<string, string>();
      const calls = meeting.names.map((name, index) => {
        const replica = replicas[index]!;
        replica.setAhead(0);
        const call = async () => {
          const outcome = await verbs[name](replica, scene).then(() => "done", codeOf);
          outcomes.set(actorName(index), outcome);
          if (!isAnswer(outcome)) failures.push(`${name} failed: ${outcome}`);
        };
        return [actorName(index), call] as const;
      });
      try {
        const trace = await scheduler.run(Object.fromEntries(calls), choose, async (steps) =>
          check(await findViolations(world, scene), steps),
        );
        const answers = meeting.names.map((name, index): Answer => {
          const isOwn = ({ actor }: Step) => actor === actorName(index);
          const outcome = outcomes.get(actorName(index))!;
          return { name, outcome, firstStep: trace.findIndex(isOwn), lastStep: trace.findLastIndex(isOwn) };
        });
        check([...failures, ...(await findWrongAnswers(world, scene, answers))], trace);
        check(await findFinalViolations(world, scene), trace);
        return trace;
      } finally {
        world.advance(begin - world.deps.clock().getTime());
      }
    },
    async close() {
      for (const replica of replicas) await replica.close();
      await world.close();
    },
  };
}

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

async function findBlocked(world: World, pids: number[]): Promise<number[]> {
  const rows = await world.rows<{ pid: number }>(
    "select pid from unnest($1::text::int[]) as pid where cardinality(pg_blocking_pids(pid)) > 0",
    [`{${pids.join(",")}}`],
  );
  return rows.map(({ pid }) => pid);
}

const codeOf = (error: unknown) =>
  error instanceof StowageError && error.code !== "unavailable"
    ? error.code
    : `${String(error)} ${String((error as Error).cause ?? "")}`;

/** An error of the catalogue tells the caller what is so, also in a race. `unavailable` only says that the service could not find out. */
const isAnswer = (outcome: string) => /^[a-z_]+$/.test(outcome);
