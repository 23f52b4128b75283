/** As much of an `AbortSignal` as is listened to here. A real one is one; whoever has no other use for it can do with less. */
export interface Stop {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", act: () => void): void;
  removeEventListener(type: "abort", act: () => void): void;
}

/**
 * A stop that comes with another one, or when its time is over. By a timer of its own: `AbortSignal.any` with
 * `AbortSignal.timeout` costs ten times as much.
 */
export class TimeLimit {
  readonly #stop: Stop;
  readonly #timer: NodeJS.Timeout;
  readonly #told: ((reason: unknown) => void)[] = [];
  #isOver = false;
  #isLate = false;
  #signal: AbortSignal | undefined;

  constructor(timeoutMs: number, stop: Stop) {
    this.#stop = stop;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#finish();
    }, timeoutMs);
    if (stop.aborted) this.#finish();
    else stop.addEventListener("abort", this.#finish);
  }

  readonly #finish = (): void => {
    this.#isOver = true;
    this.end();
    for (const act of this.#told) act(this.#stop.reason);
  };

  /** Whether it was the time that ended it. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** For those who take nothing else; made when it is asked for. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const over = new AbortController();
      this.#signal = over.signal;
      this.whenOver((reason) => over.abort(reason));
    }
    return this.#signal;
  }

  /** Calls `act` once, with the stop's reason, when the time is over or the stop comes; at once where that has been. */
  whenOver(act: (reason: unknown) => void): void {
    if (this.#isOver) act(this.#stop.reason);
    else this.#told.push(act);
  }

  /** Lets go of both: nothing is told any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener("abort", this.#finish);
  }
}
