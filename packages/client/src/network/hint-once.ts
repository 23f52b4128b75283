import { type Hint, hintText, isFailure } from "./hint-texts.js";

const given = new Set<Hint["cause"]>();

// Bundlers replace `process.env.NODE_ENV` in exactly this spelling, so that production builds drop the hints. The texts are not
// loaded on demand, because the server that is down may be the one that serves them.
declare const process: { env: { NODE_ENV?: string } };

/** Tells the developer in the console how to mend a failure: once per cause and page. Does nothing in production. Never rejects. */
export async function hintOnce(hint: Hint): Promise<void> {
  try {
    if (process.env.NODE_ENV !== "production") {
      if (given.has(hint.cause) || !isFailure(hint)) return;
      given.add(hint.cause);
      console.warn(await hintText(hint));
    }
  } catch {
    // `process` is not defined here. The upload does not depend on the hint.
  }
}
