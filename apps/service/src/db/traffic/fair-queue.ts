import { AsyncResource } from "node:async_hooks";
import { type RoundMember, Rounds } from "./rounds.js";

/**
 * Runs at most a fixed number of tasks at the same time, and shares the time fairly between owners: deficit round robin by the measured
 * time of the tasks. The tasks of one owner start in the order in which they arrived.
 */
export interface FairQueue {
  /**
   * Runs `task` when it is the owner's turn, in the async context of the caller. A task counts as running until it has ended, however long
   * that takes.
   *
   * @param timeoutMs how long the task may take from now on, including the wait. A task that waits for half of it is never run. A running
   * task is not cancelled
   * @throws {OwnerBoundError} if too many tasks of this owner are waiting, or if this one waited too long while others of the owner ran
   * @throws {QueueFullError} if too many tasks of all owners are waiting
   * @throws {DeadlineExceededError}, and any error of `task`
   */
  run<T>(owner: string, task: () => Promise<T>, timeoutMs: number): Promise<T>;
  /** The number of owners with running or waiting tasks. Only they use memory. */
  ownerCount(): number;
  /** How many tasks are running and waiting now. */
  load(): { running: number; waiting: number };
}

export interface FairQueueOptions {
  maxRunning: number;
  /** Less than `maxRunning` keeps a place free for other owners. */
  maxRunningPerOwner: number;
  maxWaiting: number;
  maxWaitingPerOwner: number;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  now?: () => number;
}

/** One owner has more tasks than its share can serve. Other owners are not affected. */
export class OwnerBoundError extends Error {
  override readonly name = "OwnerBoundError";
}

/** More tasks are waiting than could run before their deadline. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

/** The task took longer than its time limit. */
export class DeadlineExceededError extends Error {
  override readonly name = "DeadlineExceededError";
}

/** The time that an owner may use before it is the next owner's turn. About ten short statements. */
const QUANTUM_MS = 5;
/** What starting a task costs beside its duration. Without it, tasks that take no measurable time would be free. */
const OVERHEAD_MS = 0.05;

/** A task that has waited for this share of its time is not started any more, so one that starts has time to end. */
const LATEST_START = 0.5;

class Owner implements RoundMember<Owner> {
  /** The functions that start the waiting tasks, oldest first. A set, so a task that gives up can be removed at once. */
  readonly waiting = new Set<() => void>();
  running = 0;
  /** The time that this owner has used and not yet paid for by waiting. */
  debtMs = 0;
  /** The mean duration of its latest tasks: what a task is expected to take until it has ended. */
  meanMs = 0;
  /** When a task of this owner last ended without an error. */
  servedAt = -Infinity;
  /** Set by {@link Rounds}, which gives turns to owners that may start a task. */
  round: Set<Owner> | null = null;
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxRunningPerOwner, now = () => performance.now() } = options;
  /** The owners with tasks. An owner is forgotten with its last task, so departed owners use no memory. */
  const owners = new Map<string, Owner>();
  const rounds = new Rounds<Owner>();
  let running = 0;
  let waiting = 0;

  function findOwner(name: string): Owner {
    const known = owners.get(name);
    if (known) return known;
    const owner = new Owner();
    owners.set(name, owner);
    return owner;
  }

  function forgetIfIdle(name: string, owner: Owner): void {
    if (owner.running > 0 || owner.waiting.size > 0) return;
    rounds.remove(owner);
    owners.delete(name);
  }

  /** Gives an owner its next turn: in this round, or so many rounds later that it has waited for the time that it used. */
  function takeTurns(owner: Owner): void {
    if (owner.round !== null || owner.waiting.size === 0 || owner.running >= maxRunningPerOwner) return;
    const roundsToWait = Math.max(0, Math.floor(owner.debtMs / QUANTUM_MS));
    owner.debtMs -= rounds.add(owner, roundsToWait) * QUANTUM_MS;
  }

  function startNext(): void {
    for (let owner = next(); owner; owner = next()) {
      const [start] = owner.waiting;
      // All of its tasks may have given up since the turn was given.
      if (start) start();
      takeTurns(owner);
    }
  }

  function next(): Owner | undefined {
    return running < maxRunning ? rounds.take() : undefined;
  }

  return {
    ownerCount: () => owners.size,
    load: () => ({ running, waiting }),
    // Every SQL statement passes through here, so this uses one promise and one timer, and no AbortSignal.
    run: (name, task, timeoutMs) =>
      new Promise((resolve, reject) => {
        const owner = findOwner(name);
        if (owner.waiting.size >= options.maxWaitingPerOwner) {
          return reject(new OwnerBoundError(`${owner.waiting.size} tasks of one owner are already waiting`));
        }
        if (waiting >= options.maxWaiting) {
          forgetIfIdle(name, owner);
          return reject(new QueueFullError(`${waiting} tasks are already waiting`));
        }
        const queuedAt = now();

        const stopWaiting = () => {
          if (owner.waiting.delete(start)) waiting--;
        };
        const giveUp = () => {
          if (!owner.waiting.has(start)) {
            const restMs = timeoutMs * (1 - LATEST_START);
            const message = `the task took more than ${timeoutMs} ms`;
            timer = setTimeout(() => reject(new DeadlineExceededError(message)), restMs);
            return;
          }
          stopWaiting();
          forgetIfIdle(name, owner);
          const message = `the task waited for more than ${timeoutMs * LATEST_START} ms`;
          reject(
            owner.servedAt > queuedAt ? new OwnerBoundError(message) : new DeadlineExceededError(message),
          );
        };
        let timer = setTimeout(giveUp, timeoutMs * LATEST_START);
        // Bound, because the end of another caller's task starts this one. It would run in that caller's async context, and the
        // sign-in library would record that caller's address.
        const start = AsyncResource.bind(() => {
          stopWaiting();
          running++;
          owner.running++;
          const startedAt = now();
          const expectedMs = owner.meanMs;
          owner.debtMs += expectedMs;
          const onEnd = () => {
            clearTimeout(timer);
            const durationMs = now() - startedAt + OVERHEAD_MS;
            owner.debtMs += durationMs - expectedMs;
            owner.meanMs += (durationMs - owner.meanMs) / 4;
            running--;
            owner.running--;
            takeTurns(owner);
            forgetIfIdle(name, owner);
            startNext();
          };
          task()
            .then((value) => {
              owner.servedAt = now();
              return value;
            })
            .finally(onEnd)
            .then(resolve, reject);
        });
        owner.waiting.add(start);
        waiting++;
        takeTurns(owner);
        startNext();
      }),
  };
}
