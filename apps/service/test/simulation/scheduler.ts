import { setImmediate } from "node:timers/promises";
import type { GateEvents } from "./statement-gate.js";

/** A call of the product whose statements and storage requests wait for the scheduler. */
interface Actor {
  name: string;
  /** The steps that have arrived and wait, the oldest first. */
  waiting: { label: string; release: () => void }[];
  /** The backends that work on a statement of the actor. */
  working: Set<number>;
  /** Its requests to storage that have no answer yet. */
  requests: number;
  isRunning: boolean;
}

/** Which actor took which step. */
export interface Step {
  actor: string;
  label: string;
}

/** How long the actors may do nothing that the scheduler can see. PostgreSQL ends a deadlock after one second. */
const STALLED_MS = 20_000;
/** A statement that takes longer may wait for a lock. */
const ASK_AFTER_MS = 4;
/** An answer passes two sockets of this process before the actor goes on. */
const TURNS = 3;

/** Reads which backends wait for a lock of another one. */
export type FindBlocked = (pids: number[]) => Promise<number[]>;

/** Lets actors take one step at a time. Between two steps all of them wait: for the scheduler, or for a lock of another. */
export function createScheduler(findBlocked: FindBlocked) {
  const actors = new Map<string, Actor>();
  const find = (name: string): Actor => {
    let actor = actors.get(name);
    if (!actor)
      actors.set(name, (actor = { name, waiting: [], working: new Set(), requests: 0, isRunning: false }));
    return actor;
  };

  let events = 0;
  let wake = () => undefined as void;
  /** An actor did something. */
  function notice(): void {
    events++;
    wake();
  }
  async function noticedWithin(ms: number): Promise<boolean> {
    const before = events;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    return events > before;
  }

  /** Those that waited for a lock when PostgreSQL was asked last. */
  let blocked = new Set<number>();

  /** Waits until no actor can go on by itself. */
  async function settle(): Promise<void> {
    const until = performance.now() + STALLED_MS;
    while (performance.now() < until) {
      // An actor that makes several calls at once sends the others in the same turn.
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
      const running = [...actors.values()].filter(({ isRunning }) => isRunning);
      const busy = running.filter(
        ({ working, requests, waiting }) => working.size + requests > 0 || waiting.length === 0,
      );
      if (busy.length === 0) return;
      // Without an actor that can go on this is a deadlock, which PostgreSQL ends.
      const canGoOn = running.some(({ waiting }) => waiting.length > 0);
      if (!canGoOn || busy.some(({ working, requests }) => working.size === 0 || requests > 0)) {
        await noticedWithin(until - performance.now());
        continue;
      }
      const pids = busy.flatMap(({ working }) => [...working]);
      if (!pids.every((pid) => blocked.has(pid)) && (await noticedWithin(ASK_AFTER_MS))) continue;
      const before = events;
      blocked = new Set(await findBlocked(pids));
      if (blocked.size === pids.length && events === before) return;
    }
    throw new Error("no actor takes a step");
  }

  return {
    /** The gate of an actor's connections and storage. A step outside of a run does not wait. */
    gateOf(name: string): GateEvents {
      const actor = find(name);
      const arrive = (label: string) => {
        if (!actor.isRunning) return Promise.resolve();
        return new Promise<void>((release) => {
          actor.waiting.push({ label, release });
          notice();
        });
      };
      return {
        arrive,
        start: (pid) => void actor.working.add(pid),
        end(pid) {
          actor.working.delete(pid);
          notice();
        },
        async request(label, send) {
          await arrive(label);
          actor.requests++;
          try {
            return await send();
          } finally {
            actor.requests--;
            notice();
          }
        },
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
        await call().finally(() => {
          actor.isRunning = false;
          notice();
        });
      });
      const ended = Promise.allSettled(running);
      try {
        await settle();
        for (;;) {
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
