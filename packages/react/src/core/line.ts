import { createConnection } from "./connection.js";
import { isTransient, MAX_DELAY_MS, retryDelayMs } from "./retry-policy.js";
import type { Runtime } from "./runtime.js";
import type { UploadTransport } from "./transport.js";
import type { UploadError } from "./upload-error.js";
import type { UploadRetry } from "./upload-item.js";

/** A pause before the next try, and what made it needed; null where there is none, or it is over. */
export type OnPause = (retry: Omit<UploadRetry, "failure"> | null, error?: UploadError) => void;

/** Tries so far; whoever makes real progress may start to count anew. */
export interface Tries {
  attempt: number;
}

/** The way to the backend and to storage. */
export type Line = ReturnType<typeof createLine>;

/**
 * Lets tries through, whichever file they are of. Closed while offline; held when a server asks for patience, and after
 * that one by one, with room for one more after each success.
 *
 * @param onChange called whenever there may be room, or the connection came or went
 */
export function createLine(
  runtime: Pick<Runtime, "after" | "random" | "isOnline" | "onConnectionChange">,
  transport: () => UploadTransport,
  onChange: () => void,
) {
  const waiting = new Set<() => void>();
  const connection = createConnection(runtime, transport, wake);
  let passing = 0;
  let limit = Number.POSITIVE_INFINITY;
  let holds = 0;

  const room = () => (connection.isOffline() || holds > 0 ? 0 : limit);
  /** Whoever waits looks again whether it still has to. */
  function wake() {
    for (const look of waiting) look();
    waiting.clear();
    onChange();
  }

  return {
    ...connection,
    /** How many may be on their way at once. */
    room,
    /** To be called when a signal has aborted too: nobody who waits here listens to it. */
    wake,
    /**
     * Does a thing until it works, where trying again may help. Without a connection it waits for one, which costs no
     * try, if somebody can see it wait.
     *
     * @param onPause called before each try
     * @throws the last error, or the signal's reason when it aborts
     */
    async persist<Result>(
      signal: AbortSignal,
      work: (tries: Tries) => Promise<Result>,
      onPause?: OnPause,
    ): Promise<Result> {
      // What nobody sees wait, nobody waits for.
      const weight = +!!onPause;
      const tries: Tries = { attempt: 1 };
      let error: UploadError | undefined;
      for (let retry: Parameters<OnPause>[0] = null; ;) {
        onPause?.(retry, error);
        if (retry) {
          runtime.after(retry.delayMs, () => {
            retry = null;
            wake();
          });
        }
        const mustWait = () => !signal.aborted && (retry !== null || passing >= room());
        while (mustWait()) {
          await new Promise<void>((look) => waiting.add(look));
        }
        signal.throwIfAborted();
        passing += weight;
        try {
          onPause?.(null);
          const result = await work(tries);
          limit++;
          return result;
        } catch (cause) {
          signal.throwIfAborted();
          if (!isTransient(cause)) throw cause;
          error = cause;
          const { status, retryAfterMs = 0 } = error;
          if (status === 0 && onPause && (await connection.isLost())) continue;
          const delayMs = retryDelayMs(tries.attempt, retryAfterMs, runtime.random());
          if (status === 429 || status === 503) {
            // It is too much for the server: nobody comes for so long, and then one at a time.
            limit = 1;
            holds++;
            runtime.after(delayMs ?? MAX_DELAY_MS, () => {
              holds--;
              wake();
            });
          }
          if (delayMs === null) throw error;
          retry = { attempt: ++tries.attempt, delayMs };
        } finally {
          passing -= weight;
          wake();
        }
      }
    },
  };
}
