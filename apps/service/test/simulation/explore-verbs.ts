import fc from "fast-check";
import { chooseBy, exploreAll, type ExploreLimits } from "./explore.js";
import { type SceneKind, sceneKinds } from "./a-scene.js";
import { type Meeting, RaceFound, type Simulation } from "./simulate.js";
import { type VerbName, verbNames } from "./verbs.js";

/** All pairs of verbs, also of a verb with itself. */
export function pairsOf(names: VerbName[] = verbNames): VerbName[][] {
  return names.flatMap((first, index) => names.slice(index).map((second) => [first, second]));
}

/** The meetings of all pairs in all scenes. */
export const meetingsOf = (names?: VerbName[]): Meeting[] =>
  sceneKinds.flatMap((kind) => pairsOf(names).map((pair) => ({ kind, names: pair })));

/** What the schedules of a meeting showed. */
export interface Explored {
  meeting: Meeting;
  /** How many there were, until something was not true. */
  schedules: number;
  race: RaceFound | null;
  /** Of the last schedule. */
  steps: number;
}

/** Runs all schedules of verbs with at most so many preemptions, until something is not true. */
export async function exploreMeeting(
  simulation: Simulation,
  meeting: Meeting,
  limits: ExploreLimits,
): Promise<Explored> {
  const explored: Explored = { meeting, schedules: 0, race: null, steps: 0 };
  try {
    await exploreAll(limits, async (choose) => {
      explored.schedules++;
      explored.steps = (await simulation.run(meeting, choose)).length;
    });
  } catch (error) {
    if (!(error instanceof RaceFound)) throw error;
    explored.race = error;
  }
  return explored;
}

/** Explores meetings at the same time, each in one of the simulations. @param onExplored is called in any order */
export async function exploreMeetings(
  simulations: Simulation[],
  meetings: Meeting[],
  limits: (index: number) => ExploreLimits,
  onExplored: (explored: Explored, index: number) => void,
): Promise<void> {
  const queue = meetings.entries();
  const work = async (simulation: Simulation) => {
    for (const [index, meeting] of queue)
      onExplored(await exploreMeeting(simulation, meeting, limits(index)), index);
  };
  await Promise.all(simulations.map(work));
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

/**
 * Explores the meetings of two verbs, first without and then with more preemptions, until something is not true.
 *
 * @returns the first race, and the number of schedules until then
 */
export async function findRace(
  simulations: Simulation[],
  names: VerbName[],
  maxPreemptions: number,
): Promise<{ schedules: number; race: RaceFound | null }> {
  let schedules = 0;
  let meetings: Meeting[] = sceneKinds.map((kind) => ({ kind, names }));
  for (let preemptions = 0; preemptions <= maxPreemptions; preemptions++) {
    const results: Explored[] = [];
    let firstRace = Infinity;
    await exploreMeetings(
      simulations,
      meetings,
      (index) => ({ preemptions, isOver: () => index > firstRace }),
      (explored, index) => {
        results[index] = explored;
        if (explored.race) firstRace = Math.min(firstRace, index);
      },
    );
    for (const result of results) {
      schedules += result.schedules;
      if (result.race) return { schedules, race: result.race };
    }
    // The shortest ones have the fewest schedules.
    meetings = results.toSorted((a, b) => a.steps - b.steps).map(({ meeting }) => meeting);
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
