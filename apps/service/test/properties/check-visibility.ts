import fc from "fast-check";
import { expect, inject } from "vitest";
import { createDecoder } from "#images/decode/decoder.js";
import { decoderOptions } from "../fixtures/an-image-project.js";
import { aWorld } from "../fixtures/a-world.js";
import { aPicture } from "../fixtures/hostile-images.js";
import { isExpected, KeepingCdn } from "./visibility-troubles.js";
import { expectTrueHistory } from "./visibility-history.js";
import { histories } from "./visibility-steps.js";

/** Runs random histories of public files and their variants, one after the other, in a database of their own. */
export async function expectTrueHistories({ runs, seed }: { runs: number; seed: number }): Promise<void> {
  const cdn = new KeepingCdn();
  const world = await aWorld(null, inject("publicBucket")!, cdn);
  // A busy machine may take longer for a step than the files have time.
  world.stopClock();
  const decoder = createDecoder(decoderOptions);
  try {
    const sizes = [10, 11, 12];
    const pictures = await Promise.all(sizes.map((size) => aPicture(size, 8).png().toBuffer()));
    const property = fc.asyncProperty(histories, (history) =>
      expectTrueHistory({ world, cdn, decoder, pictures }, history),
    );
    await fc.assert(property, { seed, numRuns: runs });
    expect(world.failures.filter((error) => !isExpected(error))).toEqual([]);
  } finally {
    await decoder.close();
    await world.close();
  }
}
