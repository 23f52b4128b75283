import { StowageError } from "@stowage/schemas";
import { inject } from "vitest";
import type { Cdn } from "#cdn/cdn.js";
import type { CopySource } from "#object-store/object-store.js";
import type { World } from "../fixtures/a-world.js";
import { putObject } from "../fixtures/put-object.js";
import { type Around, Crash, wrapCalls } from "./crash.js";
import { LEASE_MS, type Trouble } from "./visibility-steps.js";

/** Copies into the public bucket that storage has not answered. They land later, and before the lease of their process ends. */
export class LateCopies {
  private waiting: { path: string; bytes: Buffer; landsBefore: number }[] = [];
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  get some(): boolean {
    return this.waiting.length > 0;
  }

  /** Storage has read the object by now, so a later delete of it does not prevent the copy. */
  async begin({ path }: CopySource): Promise<void> {
    const object = await this.world.deps.store.read(path, new AbortController().signal);
    if (!object) return;
    const bytes = Buffer.concat(await object.body.toArray());
    this.waiting.push({ path, bytes, landsBefore: this.world.deps.clock().getTime() + LEASE_MS });
  }

  /** @param until copies land that must land before this time. @default all */
  async land(until = Number.POSITIVE_INFINITY): Promise<void> {
    const landing = this.waiting.filter(({ landsBefore }) => landsBefore <= until);
    this.waiting = this.waiting.filter((copy) => !landing.includes(copy));
    for (const { path, bytes } of landing) await putObject(inject("publicBucket")!, path, bytes);
  }
}

/** A CDN that keeps everything that a stranger has read, until it is purged. */
export class KeepingCdn implements Cdn {
  readonly kept = new Set<string>();
  /** What happens around a purge. */
  around: Around = (_, work) => work();

  purge(url: string): Promise<void> {
    return this.around("purge", async () => void this.kept.delete(url));
  }

  close(): void {}
}

export interface TroubleDeps {
  late: LateCopies;
  cdn: KeepingCdn;
  /** What another process does. */
  meanwhile: () => Promise<unknown>;
}

/**
 * Runs a step of a process that has this trouble.
 *
 * @returns whether it came to that
 */
export async function withTrouble(
  deps: World["deps"],
  trouble: Trouble,
  { late, cdn, meanwhile }: TroubleDeps,
  step: (deps: World["deps"]) => Promise<unknown>,
): Promise<boolean> {
  let calls = 0;
  let happened = false;
  let isDead = false;
  let isLate = false;
  const published = deps.store.published!;
  const publish: typeof published.publish = async (source, headers) => {
    if (!isLate) return published.publish(source, headers);
    isLate = false;
    await late.begin(source);
    throw new StowageError("unavailable");
  };
  const around: Around = async (kind, work) => {
    if (isDead) throw new Crash();
    const isHere = !happened && kind === trouble.at && calls++ === trouble.nth;
    if (!isHere) return work();
    happened = true;
    // Until the step ends, other processes have no trouble.
    cdn.around = (_, purge) => purge();
    switch (trouble.what) {
      case "dies before":
      case "dies after":
        if (trouble.what === "dies after") await work();
        isDead = true;
        throw new Crash();
      case "is overtaken before":
        await meanwhile();
        return work();
      case "is overtaken after": {
        const result = await work();
        await meanwhile();
        return result;
      }
      case "loses its answer":
        await work();
        throw new StowageError("unavailable");
      case "lands late":
        isLate = true;
        return work();
      case "fails":
        throw new StowageError("unavailable");
    }
  };
  cdn.around = around;
  try {
    await step(
      wrapCalls({ ...deps, store: { ...deps.store, published: { ...published, publish } } }, around),
    );
  } finally {
    cdn.around = (_, purge) => purge();
  }
  return happened;
}

const EXPECTED = [
  /^other bytes have replaced the copy/,
  /^the object is not the recorded one/,
  /^the (private|public) bucket has no object of this file/,
  /^the object of a variant is (missing|changed)/,
];

/** Whether a job may report this: another process has changed the file meanwhile, or the call had no answer. */
export function isExpected(error: unknown): boolean {
  if (error instanceof Crash || (error instanceof StowageError && error.code === "unavailable")) return true;
  return error instanceof Error && EXPECTED.some((message) => message.test(error.message));
}
