import { setImmediate } from "node:timers/promises";
import type { GateEvents } from "./statement-gate.js";

/** A call of the product whose statements and storage requests wait for the scheduler. */
interface Actor {
  name: string;
  /** The steps that have arrived and wait, the oldest first. */
  waiting: { label: string; release: () => void }[];
  /** The backends that work on a statement of the actor. */
  working: Set<number>;
  isRunning: boolean;
}

/** Which actor took which step. */
export interface Step {
  actor: string;
  label: string;
}

/** How long the actors may do nothing that the scheduler can see. PostgreSQL ends a deadlock after one second. */
const STALLED_MS = 20_000;

/** Reads which backends wait for a lock of another one. */
export type FindBlocked = (pids: number[]) => Promise<number[]>;

/** Lets actors take one step at a time. Between two steps all of them wait: for the scheduler, or for a lock of another. */
export function createScheduler(findBlocked: FindBlocked) {
  const actors = new Map<string, Actor>();
  const find = (name: string): Actor => {
    let actor = actors.get(name);
    if (!actor) actors.set(name, (actor = { name, waiting: [], working: new Set(), isRunning: false }));
    return actor;
  };

  const isQuiet = (actor: Actor) => !actor.isRunning || actor.waiting.length > 0;

  /** Waits until no actor can go on by itself. */
  async function settle(): Promise<void> {
    const until = performance.now() + STALLED_MS;
    for (;;) {
      // An actor that makes several calls at once sends the others in the same turn.
      await setImmediate();
      const busy = [...actors.values()].filter((actor) => !isQuiet(actor));
      if (busy.length === 0) return;
      const pids = busy.flatMap(({ working }) => [...working]);
      if (pids.length > 0 && busy.every(({ working }) => working.size > 0)) {
        const blocked = new Set(await findBlocked(pids));
        const isAllBlocked = pids.every((pid) => blocked.has(pid));
        const canGoOn = [...actors.values()].some(({ waiting }) => waiting.length > 0);
        // Without an actor that can go on this is a deadlock, which PostgreSQL ends.
        if (isAllBlocked && canGoOn && busy.every((actor) => !isQuiet(actor))) return;
      }
      if (performance.now() > until)
        throw new Error(`no step from ${busy.map(({ name }) => name).join(", ")}`);
    }
  }

  return {
    /** The gate of an actor's connections and storage. A step outside of a run does not wait. */
    gateOf(name: string): GateEvents {
      const actor = find(name);
      return {
        arrive: (label) => {
          if (!actor.isRunning) return Promise.resolve();
          return new Promise((release) => void actor.waiting.push({ label, release }));
        },
        start: (pid) => void actor.working.add(pid),
        end: (pid) => void actor.working.delete(pid),
      };
    },

    /**
     * Runs calls to their end.
     *
     * @param choose which of the actors that can go on takes the next step
     * @param afterStep is called when all actors wait again
     */
    async run(
      calls: Record<string, () => Promise<unknown>>,
      choose: (enabled: string[], trace: readonly Step[]) => string,
      afterStep: (trace: readonly Step[]) => Promise<void>,
    ): Promise<Step[]> {
      const trace: Step[] = [];
      const running = Object.entries(calls).map(async ([name, call]) => {
        const actor = find(name);
        actor.isRunning = true;
        await call().finally(() => (actor.isRunning = false));
      });
      const ended = Promise.allSettled(running);
      try {
        for (;;) {
          await settle();
          const enabled = [...actors.values()]
            .filter(({ waiting }) => waiting.length > 0)
            .map(({ name }) => name);
          if (enabled.length === 0) break;
          const actor = find(choose(enabled, trace));
          const { label, release } = actor.waiting.shift()!;
          trace.push({ actor: actor.name, label });
          release();
          await settle();
          await afterStep(trace);
        }
      } finally {
        // After a failure of a check, the calls end without the scheduler.
        for (const actor of actors.values()) {
          actor.isRunning = false;
          for (const { release } of actor.waiting.splice(0)) release();
        }
        await ended;
      }
      await Promise.all(running);
      return trace;
    },
  };
}
