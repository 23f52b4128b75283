/** For this long after inputs of different owners, calls count as shared. */
const SHARED_FOR_MS = 1000;

/** Follows which owners use the running calls of `batchCalls`, so that the owners do not wait for each other's calls. */
export class CallShares {
  readonly #maxCallsPerOwner: number;
  readonly #now: () => number;
  /** In how many running calls each owner has inputs. Only owners with such calls are listed. */
  readonly #runningCalls = new Map<string, number>();
  #latestOwner: string | undefined;
  #sharedUntil = -Infinity;

  /** @param now milliseconds of a clock that never goes back. @default performance.now */
  constructor(maxCallsPerOwner: number, now: () => number = () => performance.now()) {
    this.#maxCallsPerOwner = maxCallsPerOwner;
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
    return this.#runningCalls.has(owner);
  }

  mayStartCall(owner: string): boolean {
    return (this.#runningCalls.get(owner) ?? 0) < this.#maxCallsPerOwner;
  }

  /** Call it when a call starts. @returns a function to call when it has ended */
  startCall(inputs: Iterable<{ owner: string }>): () => void {
    const owners = new Set(Array.from(inputs, ({ owner }) => owner));
    for (const owner of owners) this.#runningCalls.set(owner, (this.#runningCalls.get(owner) ?? 0) + 1);
    return () => owners.forEach((owner) => this.#endCall(owner));
  }

  #endCall(owner: string): void {
    const left = this.#runningCalls.get(owner)! - 1;
    if (left === 0) this.#runningCalls.delete(owner);
    else this.#runningCalls.set(owner, left);
  }
}
