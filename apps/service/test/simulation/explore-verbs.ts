import fc from "fast-check";
import { chooseBy, exploreAll } from "./explore.js";
import { type SceneKind, sceneKinds } from "./a-scene.js";
import { type Meeting, RaceFound, type Simulation } from "./simulate.js";
import { type VerbName, verbNames } from "./verbs.js";

/** All pairs of verbs, also of a verb with itself. */
export function pairsOf(names: VerbName[] = verbNames): VerbName[][] {
  return names.flatMap((first, index) => names.slice(index).map((second) => [first, second]));
}

/** Runs all schedules of verbs with at most so many preemptions. @returns how many @throws {RaceFound} */
export function exploreMeeting(
  simulation: Simulation,
  meeting: Meeting,
  limits: { preemptions: number; maxSchedules?: number },
): Promise<number> {
  return exploreAll(limits, (choose) => simulation.run(meeting, choose));
}

/** Runs random schedules of random triples. @throws an error with the seed, the shortest triple and schedule that fail, and the steps */
export async function exploreAtRandom(
  simulation: Simulation,
  { seed, runs }: { seed: number; runs: number },
): Promise<void> {
  const verb = fc.constantFrom(...verbNames);
  const choices = fc.array(fc.nat({ max: 5 }), { maxLength: 80 });
  const property = fc.asyncProperty(
    fc.constantFrom(...sceneKinds),
    fc.tuple(verb, verb, verb),
    choices,
    async (kind, names, numbers) => void (await simulation.run({ kind, names }, chooseBy(numbers.values()))),
  );
  await fc.assert(property, { seed, numRuns: runs });
}

/** Explores pairs of some verbs, first without and then with more preemptions, until something is not true. */
export async function findRace(
  simulation: Simulation,
  names: VerbName[],
  maxPreemptions: number,
): Promise<{ schedules: number; race: RaceFound | null }> {
  let schedules = 0;
  try {
    for (let preemptions = 0; preemptions <= maxPreemptions; preemptions++)
      for (const pair of pairsOf(names))
        for (const kind of sceneKinds)
          await exploreAll({ preemptions }, async (choose) => {
            schedules++;
            await simulation.run({ kind, names: pair }, choose);
          });
  } catch (error) {
    if (error instanceof RaceFound) return { schedules, race: error };
    throw error;
  }
  return { schedules, race: null };
}

/** Repeats the schedule of a {@link RaceFound}, such as "plain, delete, hold, AABB". @returns the steps as text */
export async function repeatSchedule(simulation: Simulation, schedule: string): Promise<string> {
  const [kind, ...rest] = schedule.split(", ");
  const order = rest.pop()!;
  const trace = await simulation.run(
    { kind: kind as SceneKind, names: rest as VerbName[] },
    (enabled, { length }) => {
      const actor = order[length];
      if (actor === undefined || !enabled.includes(actor)) throw new Error(`step ${length} was not repeated`);
      return actor;
    },
  );
  return trace.map(({ actor, label }) => `${actor} ${label}`).join("\n");
}
