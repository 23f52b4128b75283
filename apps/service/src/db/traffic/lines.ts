import type { BatchedCall, Batching } from "./batches.js";
import {
  MANY_CALLS,
  MAX_BATCH,
  MAX_SHARED_BATCH_OF_OWNER,
  OVERHEAD_MS,
  SHARED_FOR_MS,
  STATEMENTS_DURING_A_FLOOD,
} from "./limits.js";
import { type RoundMember, Rounds } from "./rounds.js";

/** A call that waits or runs. */
export interface Call extends BatchedCall {
  readonly line: Line;
  /** The caller has its answer. The call may still run. */
  isSettled: boolean;
}

/** Who causes calls, such as a project: what it has in all kinds. */
export class Owner {
  readonly name: string;
  readonly lines = new Map<Kind, Line>();
  /** Statements with calls of this owner. */
  running = 0;
  /** The time that this owner has used and not yet paid for by waiting. */
  debtMs = 0;
  /** When a statement of this owner last ended without an error. */
  servedAt = -Infinity;
  /** The mean time of its latest statements: what a statement is expected to take until it has ended. */
  #meanMs = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** A statement starts. @returns a function to call with this owner's share of the statement's time when it has ended */
  start(): (usedMs: number) => void {
    this.running++;
    const expectedMs = this.#meanMs;
    this.debtMs += expectedMs;
    return (usedMs) => {
      this.running--;
      const spentMs = usedMs + OVERHEAD_MS;
      this.debtMs += spentMs - expectedMs;
      this.#meanMs += (spentMs - this.#meanMs) / 4;
    };
  }
}

/** The calls of one owner and one kind. */
export class Line implements RoundMember<Line> {
  readonly owner: Owner;
  readonly kind: Kind;
  /** The waiting calls, the oldest first. A set, so a call that gives up can be removed at once. */
  readonly waiting = new Set<Call>();
  /** The running statements with calls of this line, and its calls in them. */
  statements = 0;
  calls = 0;
  /** Those of its statements that take long. */
  slow = 0;
  /** Its last statement waited for a lock for too long, so it gets statements of its own. */
  isAlone = false;
  round: Set<Line> | null = null;

  constructor(owner: Owner, kind: Kind) {
    this.owner = owner;
    this.kind = kind;
  }
}

/** A running statement. */
export interface Statement {
  calls: Call[];
  isAlone: boolean;
  /** Lets another statement of its kind run, because this one takes long. @returns the lines of its calls */
  yieldPlace(): Line[];
  /** Frees its place and tells its owners what they used. @returns the lines of its calls */
  end(durationMs: number): Line[];
}

export interface KindOptions {
  batching: Batching<unknown, unknown>;
  /** Each call has a statement of its own, and only the owner's bound limits how many run. */
  isSingle: boolean;
  maxRunningPerOwner: number;
  now: () => number;
}

/** Calls that the same statement can carry out, and the turns of their owners. */
export class Kind {
  readonly batching: Batching<unknown, unknown>;
  readonly isSingle: boolean;
  readonly #maxRunningPerOwner: number;
  readonly #now: () => number;
  readonly #rounds = new Rounds<Line>();
  /** The lines that get statements of their own, one after the other. */
  readonly #alone = new Set<Line>();
  #isAloneRunning = false;
  #running = 0;
  /** Running statements with many calls of one owner. */
  #floods = 0;
  #latestOwner: string | undefined;
  #sharedUntil = -Infinity;

  constructor({ batching, isSingle, maxRunningPerOwner, now }: KindOptions) {
    this.batching = batching;
    this.isSingle = isSingle;
    this.#maxRunningPerOwner = maxRunningPerOwner;
    this.#now = now;
  }

  /** Notes that an owner calls. Reads the clock only if the call before it was of another owner. */
  noteCall(owner: string): void {
    if (this.isSingle || this.#isSeparate() || owner === this.#latestOwner) return;
    if (this.#latestOwner !== undefined) this.#sharedUntil = this.#now() + SHARED_FOR_MS;
    this.#latestOwner = owner;
  }

  /** Gives a line its next turn, so many rounds later. @returns the number of rounds that it has to wait */
  giveTurn(line: Line, roundsToWait: number): number {
    if (line.round !== null || line.waiting.size === 0 || this.#hasEnough(line)) return 0;
    if (!line.isAlone) return this.#rounds.add(line, roundsToWait);
    this.#alone.add(line);
    return 0;
  }

  /** Takes back a line's turn. */
  takeBack(line: Line): void {
    this.#rounds.remove(line);
    this.#alone.delete(line);
  }

  /** Takes the calls whose turn it is. @returns undefined if none may start */
  next(): { lines: Line[]; start: () => Statement | undefined } | undefined {
    const alone = this.#nextAlone();
    const lines = alone ? [alone] : this.#nextLines();
    if (lines.length === 0) return undefined;
    return { lines, start: () => this.#start(this.#takeCalls(lines), alone !== undefined) };
  }

  #nextAlone(): Line | undefined {
    if (this.#isAloneRunning) return undefined;
    for (const line of this.#alone) {
      // A shared statement with calls of the same owner may hold the locks that one of its own would wait for, so it ends first.
      if (line.statements > 0 || line.owner.running >= this.#maxRunningPerOwner) continue;
      this.#alone.delete(line);
      return line;
    }
    return undefined;
  }

  #nextLines(): Line[] {
    const isShared = this.#isShared();
    const first = this.#rounds.take((line) => this.#mayStart(line, isShared));
    if (!first) return [];
    const lines = [first];
    while (!this.isSingle && !this.#isSeparate() && lines.length < MAX_BATCH) {
      const other = this.#rounds.takeOfRound((line) => this.#mayJoin(line, isShared));
      if (!other) break;
      lines.push(other);
    }
    return lines;
  }

  #mayStart(line: Line, isShared: boolean): boolean {
    if (!this.#mayJoin(line, isShared)) return false;
    if (this.isSingle || this.#isSeparate()) return true;
    return this.#running < (this.#floods > 0 ? STATEMENTS_DURING_A_FLOOD : 1);
  }

  #mayJoin(line: Line, isShared: boolean): boolean {
    return !this.#hasEnough(line) && !(isShared && line.calls >= MANY_CALLS);
  }

  /** Whether its owner has as many statements as it may have: of calls that share statements, one, and another one beside one that takes long. */
  #hasEnough({ owner, statements, slow }: Line): boolean {
    if (owner.running >= this.#maxRunningPerOwner) return true;
    return !this.isSingle && statements > Math.min(slow, 1);
  }

  #isShared(): boolean {
    return this.#now() < this.#sharedUntil;
  }

  #isSeparate(): boolean {
    return this.batching.isSeparate?.() ?? false;
  }

  /** One call of each line in turns, the oldest first. */
  #takeCalls(lines: Line[]): Call[] {
    const maxCalls = this.isSingle ? 1 : MAX_BATCH;
    const maxOfLine = this.#isShared() ? MAX_SHARED_BATCH_OF_OWNER : maxCalls;
    const calls: Call[] = [];
    for (let turn = 0; turn < maxOfLine; turn++) {
      const before = calls.length;
      for (const { waiting } of lines) {
        if (calls.length === maxCalls) return calls;
        for (const call of waiting) {
          waiting.delete(call);
          calls.push(call);
          break;
        }
      }
      if (calls.length === before) break;
    }
    return calls;
  }

  #start(calls: Call[], isAlone: boolean): Statement | undefined {
    // All of them may have given up since the turn was given.
    if (calls.length === 0) return undefined;
    const counts = new Map<Line, number>();
    for (const { line } of calls) counts.set(line, (counts.get(line) ?? 0) + 1);
    const parts = [...counts].map(([line, count]) => ({ line, count, pay: line.owner.start() }));
    const isFlood = parts.some(({ count }) => count >= MANY_CALLS);
    if (isAlone) this.#isAloneRunning = true;
    else this.#running++;
    if (isFlood) this.#floods++;
    for (const { line, count } of parts) {
      line.statements++;
      line.calls += count;
    }
    const lines = parts.map(({ line }) => line);
    let hasPlace = true;
    const freePlace = () => {
      if (isAlone) this.#isAloneRunning = false;
      else this.#running--;
      if (isFlood) this.#floods--;
    };
    return {
      calls,
      isAlone,
      yieldPlace: () => {
        // Those of an owner that waits for locks follow each other.
        if (isAlone) return [];
        hasPlace = false;
        freePlace();
        for (const line of lines) line.slow++;
        return lines;
      },
      end: (durationMs) => {
        if (hasPlace) freePlace();
        for (const { line, count, pay } of parts) {
          line.statements--;
          line.calls -= count;
          if (!hasPlace) line.slow--;
          pay((durationMs * count) / calls.length);
        }
        return lines;
      },
    };
  }
}
