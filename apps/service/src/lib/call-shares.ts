/** For this long after inputs of different owners, calls count as shared. */
const SHARED_FOR_MS = 1000;

export interface CallLimits {
  /** In how many running calls one owner may have inputs. */
  maxCallsPerOwner: number;
  /** While several owners send inputs, an owner with so many inputs in running calls may not start another call. @default no limit */
  maxSharedInputsPerOwner?: number | undefined;
}

/** What one owner has in running calls. */
interface Running {
  calls: number;
  inputs: number;
}

/** Follows which owners use the running calls of `batchCalls`, so that the owners do not wait for each other's calls. */
export class CallShares {
  readonly #maxCallsPerOwner: number;
  readonly #maxSharedInputsPerOwner: number;
  readonly #now: () => number;
  /** Only owners with inputs in running calls are listed. */
  readonly #running = new Map<string, Running>();
  #latestOwner: string | undefined;
  #sharedUntil = -Infinity;

  /** @param now milliseconds of a clock that never goes back. @default performance.now */
  constructor(
    { maxCallsPerOwner, maxSharedInputsPerOwner = Infinity }: CallLimits,
    now: () => number = () => performance.now(),
  ) {
    this.#maxCallsPerOwner = maxCallsPerOwner;
    this.#maxSharedInputsPerOwner = maxSharedInputsPerOwner;
    this.#now = now;
  }

  /** Notes that an owner sends an input. Reads the clock only if the input before it was of another owner. */
  noteInput(owner: string): void {
    if (owner === this.#latestOwner) return;
    if (this.#latestOwner !== undefined) this.#sharedUntil = this.#now() + SHARED_FOR_MS;
    this.#latestOwner = owner;
  }

  /** Whether several owners have sent inputs in the last second. */
  isShared(): boolean {
    return this.#now() < this.#sharedUntil;
  }

  hasRunningCall(owner: string): boolean {
    return this.#running.has(owner);
  }

  mayStartCall(owner: string): boolean {
    const running = this.#running.get(owner);
    if (!running) return true;
    if (running.calls >= this.#maxCallsPerOwner) return false;
    return running.inputs < this.#maxSharedInputsPerOwner || !this.isShared();
  }

  /** Call it when a call starts. @returns a function to call when it has ended */
  startCall(inputs: Iterable<{ owner: string }>): () => void {
    const counts = new Map<string, number>();
    for (const { owner } of inputs) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    for (const [owner, count] of counts) this.#add(owner, { calls: 1, inputs: count });
    return () => counts.forEach((count, owner) => this.#add(owner, { calls: -1, inputs: -count }));
  }

  #add(owner: string, { calls, inputs }: Running): void {
    const running = this.#running.get(owner) ?? { calls: 0, inputs: 0 };
    running.calls += calls;
    running.inputs += inputs;
    if (running.calls === 0) this.#running.delete(owner);
    else this.#running.set(owner, running);
  }
}
