import type { Step } from "./scheduler.js";

/** Chooses who takes the next step, as in {@link createScheduler}. */
export type Choose = (enabled: string[], trace: readonly Step[]) => string;

export interface ExploreLimits {
  preemptions: number;
  /** Asked before each schedule. @default never */
  isOver?: () => boolean;
}

/**
 * Runs all schedules with at most so many preemptions: switches away from an actor that could go on. Switches at its end, or while it waits
 * for a lock, are free. Most races need one or two (Musuvathi and Qadeer, "Iterative context bounding", PLDI 2007).
 *
 * @param run executes one schedule from the start. Equal choices give equal steps
 * @returns how many schedules there were
 */
export async function exploreAll(
  { preemptions, isOver = () => false }: ExploreLimits,
  run: (choose: Choose, schedule: number) => Promise<unknown>,
): Promise<number> {
  const open: string[][] = [[]];
  let schedules = 0;
  for (let prefix = open.pop(); prefix && !isOver(); prefix = open.pop()) {
    const begin = prefix;
    const taken: string[] = [];
    const alternatives: string[][] = [];
    let spent = 0;
    await run((enabled, trace) => {
      const last = trace.at(-1)?.actor;
      const costs = (actor: string) =>
        last !== undefined && enabled.includes(last) && actor !== last ? 1 : 0;
      const planned = begin[taken.length];
      if (planned !== undefined && !enabled.includes(planned))
        throw new Error(`step ${taken.length} was not repeated`);
      const next = planned ?? followOn(enabled, last);
      if (taken.length >= begin.length)
        for (const actor of enabled)
          if (actor !== next && spent + costs(actor) <= preemptions) alternatives.push([...taken, actor]);
      spent += costs(next);
      taken.push(next);
      return next;
    }, schedules);
    schedules++;
    open.push(...alternatives);
  }
  return schedules;
}

const followOn = (enabled: string[], last: string | undefined) =>
  last !== undefined && enabled.includes(last) ? last : enabled[0]!;

/** Chooses by numbers, such as those of a seed. After the last one each actor goes on to its end. */
export function chooseBy(numbers: Iterator<number>): Choose {
  return (enabled, trace) => {
    const { value, done } = numbers.next();
    return done ? followOn(enabled, trace.at(-1)?.actor) : enabled[value % enabled.length]!;
  };
}
