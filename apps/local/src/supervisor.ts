import { type Child, startChild } from "./child-process.js";

/** A process, or a group of processes, that runs until it is stopped or ends by itself. */
export interface ManagedProcess {
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Keeps track of the started processes, to stop all of them later. */
export interface Supervisor {
  /** Adds a process that is already running. */
  add(name: string, process: ManagedProcess): void;
  /** Starts one of our Node programs and adds it. */
  start(name: string, program: string, env: Record<string, string>, args?: string[]): Promise<Child>;
  /** Adds work for `stop`, which runs before the processes that were added earlier stop. */
  onStop(work: () => Promise<void>): void;
  /** Resolves with the name of the first added process that ends. */
  firstExit(): Promise<string>;
  /** Stops all processes in reverse order of their start: a process depends only on earlier ones. */
  stop(): Promise<void>;
}

/**
 * @param release called after all processes have stopped
 * @param signal cancels a start that is in progress
 */
export function createSupervisor(
  logDir: string,
  release: () => Promise<void>,
  signal: AbortSignal | undefined,
): Supervisor {
  const stops: (() => Promise<void>)[] = [release];
  const exits: Promise<string>[] = [];
  const add = (name: string, process: ManagedProcess) => {
    stops.push(() => process.stop());
    exits.push(process.ended.then(() => name));
  };
  return {
    add,
    async start(name, program, env, args = []) {
      const child = await startChild(name, program, { args, env, logDir, signal });
      add(name, child);
      return child;
    },
    onStop: (work) => void stops.push(work),
    firstExit: () => Promise.race(exits),
    async stop() {
      for (const stop of stops.splice(0).toReversed()) await stop();
    },
  };
}
