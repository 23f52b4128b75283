import { type Child, startChild } from "./child.js";

/** Something that runs until it is stopped, or ends by itself. */
export interface Part {
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** What has been started so far, so that it can be ended again. */
export interface Parts {
  /** Has it ended with the rest. */
  add(name: string, part: Part): void;
  /** Starts a program of ours and adds it. */
  start(name: string, program: string, env: Record<string, string>): Promise<Child>;
  /** Resolves with the name of the first of those added that ends. */
  firstEnd(): Promise<string>;
  /** Ends every part, the last one first: each needs only those before it. */
  stop(): Promise<void>;
}

/**
 * @param release what is done once all of them have ended
 * @param signal gives up a start that is under way
 */
export function makeParts(
  logDir: string,
  release: () => Promise<void>,
  signal: AbortSignal | undefined,
): Parts {
  const ends: (() => Promise<void>)[] = [release];
  const endings: Promise<string>[] = [];
  const add = (name: string, part: Part) => {
    ends.push(() => part.stop());
    endings.push(part.ended.then(() => name));
  };
  return {
    add,
    async start(name, program, env) {
      const child = await startChild(name, program, { env, logDir, signal });
      add(name, child);
      return child;
    },
    firstEnd: () => Promise.race(endings),
    async stop() {
      for (const end of ends.splice(0).toReversed()) await end();
    },
  };
}
