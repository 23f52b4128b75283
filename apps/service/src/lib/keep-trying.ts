import { isTemporary } from "./temporary-error.js";
import { SECOND_MS } from "./time.js";

const MAX_TRIES = 6;
const FIRST_PAUSE_MS = SECOND_MS / 2;

/**
 * Repeats what a later try may do, with pauses that double: about 15 seconds in all.
 *
 * @throws the error of the last try, or one that is not temporary
 */
export async function keepTrying<T>(
  sleep: (ms: number) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !isTemporary(error)) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }
}
