import type { ServerResponse } from "node:http";
import type { Stop } from "../limit-time.js";

/** Comes when the client of a Node server goes away before it has its answer. */
export class Leaving implements Stop {
  readonly #response: ServerResponse;
  readonly #acts = new Set<() => void>();
  #isListening = false;
  #signal: AbortSignal | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get aborted(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }

  get reason(): unknown {
    return this.signal.reason;
  }

  /** The same as the Web has it; made when somebody asks for it, which is why all of this is here. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const gone = new AbortController();
      this.#signal = gone.signal;
      if (this.aborted) gone.abort();
      else this.addEventListener("abort", () => gone.abort());
    }
    return this.#signal;
  }

  addEventListener(_abort: "abort", act: () => void): void {
    this.#acts.add(act);
    if (this.#isListening) return;
    this.#isListening = true;
    this.#response.once("close", () => {
      if (this.aborted) for (const each of this.#acts) each();
    });
  }

  removeEventListener(_abort: "abort", act: () => void): void {
    this.#acts.delete(act);
  }
}
