import { AsyncResource } from "node:async_hooks";
import { type BatchErrors, type Batching, runBatch } from "./batches.js";
import { limitWorkingTime } from "#lib/working-time.js";
import { LATEST_START, QUANTUM_MS, SLOW_STATEMENT_MS } from "./limits.js";
import { type Call, Kind, Line, Owner, type Statement } from "./lines.js";

/**
 * Runs at most a fixed number of statements at the same time, and shares the time fairly between owners: deficit round robin by the
 * measured time of their statements. The calls of one owner and kind start in the order in which they arrived.
 */
export interface FairQueue {
  /**
   * Runs `task` when it is the owner's turn, in the async context of the caller. A task counts as a running statement until it has ended,
   * however long that takes.
   *
   * @param timeoutMs how long the task may take from now on, including the wait. A task that waits for half of it is never run. A running
   * task is not cancelled
   * @throws {OwnerBoundError} if too many tasks of this owner are waiting, or if this one waited too long while others of the owner ran
   * @throws {QueueFullError} if too many calls of all owners are waiting
   * @throws {DeadlineExceededError}, and any error of `task`
   */
  run<T>(owner: string, task: () => Promise<T>, timeoutMs: number): Promise<T>;
  /**
   * Creates a kind of calls that share statements. When it is an owner's turn, one statement carries out as many of its waiting calls as a
   * batch may have, and those of the next owners. A call that arrives alone starts at the end of this turn of the event loop.
   *
   * @returns a function for one call, with a time limit like that of `run`. It throws what `run` throws, or what the batch threw for
   * this call alone
   */
  batch<Input, Output>(
    batching: Batching<Input, Output>,
  ): (owner: string, input: Input, timeoutMs: number) => Promise<Output>;
  /** The number of owners with running or waiting calls, or whose last statement waited for a lock. Only they use memory. */
  ownerCount(): number;
  /** How many statements run, and how many calls wait. */
  load(): { running: number; waiting: number };
}

export interface FairQueueOptions {
  maxRunning: number;
  /** Less than `maxRunning` keeps a place free for other owners. */
  maxRunningPerOwner: number;
  maxWaiting: number;
  /** Of one owner and kind. */
  maxWaitingPerOwner: number;
  /** @default a batch fails for the input that causes it */
  errors?: BatchErrors;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  now?: () => number;
}

/** One owner has more calls than its share can serve. Other owners are not affected. */
export class OwnerBoundError extends Error {
  override readonly name = "OwnerBoundError";
}

/** More calls are waiting than could run before their deadline. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

/** The call took longer than its time limit. */
export class DeadlineExceededError extends Error {
  override readonly name = "DeadlineExceededError";
}

type Task = () => Promise<unknown>;

const NO_ERRORS: BatchErrors = { isTemporary: () => false, isBlocked: () => false };

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxRunningPerOwner, errors = NO_ERRORS, now = () => performance.now() } = options;
  /** An owner is forgotten with its last call, so departed owners use no memory. */
  const owners = new Map<string, Owner>();
  const kinds: Kind[] = [];
  const tasks = addKind({ run: async ([task]) => [await (task as Task)()] }, true);
  /** The kind that has the next turn. */
  let turn = 0;
  let running = 0;
  let waiting = 0;
  /** Of them, those that share statements. */
  let waitingForBatch = 0;
  let isScheduled = false;

  function addKind(batching: Batching<unknown, unknown>, isSingle: boolean): Kind {
    const kind = new Kind({ batching, isSingle, maxRunningPerOwner, now });
    kinds.push(kind);
    return kind;
  }

  function findLine(name: string, kind: Kind): Line {
    const owner = owners.get(name) ?? new Owner(name);
    owners.set(name, owner);
    const line = owner.lines.get(kind) ?? new Line(owner, kind);
    owner.lines.set(kind, line);
    return line;
  }

  function forgetIfIdle(owner: Owner): void {
    const lines = [...owner.lines.values()];
    if (owner.running > 0 || lines.some(({ waiting, isAlone }) => waiting.size > 0 || isAlone)) return;
    for (const line of lines) line.kind.takeBack(line);
    owners.delete(owner.name);
  }

  /** Gives a line its next turn: in this round, or so many rounds later that its owner has waited for the time that it used. */
  function takeTurns(line: Line): void {
    const { owner, kind } = line;
    const roundsToWait = Math.max(0, Math.floor(owner.debtMs / QUANTUM_MS));
    owner.debtMs -= kind.giveTurn(line, roundsToWait) * QUANTUM_MS;
  }

  function wait(call: Call): void {
    call.line.waiting.add(call);
    countWaiting(call, 1);
    takeTurns(call.line);
  }

  function countWaiting({ line }: Call, change: number): void {
    waiting += change;
    if (!line.kind.isSingle) waitingForBatch += change;
  }

  /**
   * Starts what may run. Calls that share statements start at the end of this turn of the event loop, so that those which arrived together
   * are in one. Tasks wait for them, because otherwise they would take each place that becomes free.
   */
  function startSoon(): void {
    if (waitingForBatch === 0) return startNext();
    if (isScheduled || running >= maxRunning) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      startNext();
    });
  }

  /** Gives the kinds turns until none may start a statement. */
  function startNext(): void {
    for (let idle = 0; idle < kinds.length && running < maxRunning; turn = (turn + 1) % kinds.length) {
      const next = kinds[turn]!.next();
      idle = next ? 0 : idle + 1;
      if (!next) continue;
      const statement = next.start();
      if (statement) void run(kinds[turn]!, statement);
      next.lines.forEach(takeTurns);
    }
  }

  async function run({ batching, isSingle }: Kind, statement: Statement): Promise<void> {
    const { calls, isAlone } = statement;
    running++;
    for (const call of calls) countWaiting(call, -1);
    const startedAt = now();
    const blocked: Call[] = [];
    const slow = isSingle ? undefined : setTimeout(passOver, SLOW_STATEMENT_MS, statement);
    const isServed = await runBatch(batching, isSingle ? NO_ERRORS : errors, calls, (waited, error) => {
      if (isAlone) for (const call of waited) call.reject(error);
      blocked.push(...waited);
    });
    clearTimeout(slow);
    running--;
    const endedAt = now();
    const lines = statement.end(endedAt - startedAt);
    if (isAlone && blocked.length === 0) lines[0]!.isAlone = false;
    blocked.forEach(isolate);
    for (const { owner } of lines) {
      if (isServed) owner.servedAt = endedAt;
      for (const line of owner.lines.values()) takeTurns(line);
      forgetIfIdle(owner);
    }
    startSoon();
  }

  /** Starts the next statement of a kind before one that takes long has ended. */
  function passOver(statement: Statement): void {
    statement.yieldPlace().forEach(takeTurns);
    startSoon();
  }

  /** Lets the owner of a call have statements of its own. */
  function isolate(call: Call): void {
    const { line } = call;
    line.kind.takeBack(line);
    line.isAlone = true;
    if (!call.isSettled) wait(call);
  }

  function add(kind: Kind, owner: string, input: unknown, timeoutMs: number): Promise<unknown> {
    kind.noteCall(owner);
    const line = findLine(owner, kind);
    if (line.waiting.size >= options.maxWaitingPerOwner) {
      return Promise.reject(
        new OwnerBoundError(`${line.waiting.size} calls of one owner are already waiting`),
      );
    }
    if (waiting >= options.maxWaiting) {
      forgetIfIdle(line.owner);
      return Promise.reject(new QueueFullError(`${waiting} calls are already waiting`));
    }
    // Every SQL statement passes through here, so this uses one timer, and no AbortSignal.
    return new Promise((resolve, reject) => {
      const queuedAt = now();
      const observed = kind.batching.observer?.onInput();
      const giveUp = () => {
        if (line.waiting.has(call)) {
          const message = `the call waited for more than ${timeoutMs * LATEST_START} ms`;
          const isOwnFault = line.owner.servedAt > queuedAt;
          return call.reject(isOwnFault ? new OwnerBoundError(message) : new DeadlineExceededError(message));
        }
        const message = `the call took more than ${timeoutMs} ms`;
        const restMs = timeoutMs * (1 - LATEST_START);
        limit = limitWorkingTime(restMs, () => call.reject(new DeadlineExceededError(message)));
      };
      let limit = limitWorkingTime(timeoutMs * LATEST_START, giveUp);
      const settle = (error?: unknown) => {
        limit.clear();
        call.isSettled = true;
        observed?.end(error);
        if (!line.waiting.delete(call)) return;
        countWaiting(call, -1);
        forgetIfIdle(line.owner);
      };
      const call: Call = {
        line,
        input,
        observed,
        isSettled: false,
        resolve: (output) => {
          settle();
          resolve(output);
        },
        reject: (error) => {
          settle(error);
          reject(error as Error);
        },
      };
      wait(call);
      startSoon();
    });
  }

  return {
    ownerCount: () => owners.size,
    load: () => ({ running, waiting }),
    // Bound, because the end of another caller's task starts this one. It would run in that caller's async context, and the sign-in
    // library would record that caller's address.
    run: <T>(owner: string, task: () => Promise<T>, timeoutMs: number) =>
      add(tasks, owner, AsyncResource.bind(task), timeoutMs) as Promise<T>,
    batch<Input, Output>(batching: Batching<Input, Output>) {
      const kind = addKind(batching as Batching<unknown, unknown>, false);
      return (owner: string, input: Input, timeoutMs: number) =>
        add(kind, owner, input, timeoutMs) as Promise<Output>;
    },
  };
}
