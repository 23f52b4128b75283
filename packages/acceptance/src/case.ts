import type { Context } from "./context.js";
import type { Gate } from "./facts.js";

/**
 * How much is asked. Each profile has the cases of the ones before it.
 *
 * - `smoke`: a file goes in, is counted, comes out and is deleted
 * - `core`: every call with its answers and its errors
 * - `full`: also several MiB, many requests at once, and what takes seconds
 */
export const profiles = ["smoke", "core", "full"] as const;
export type Profile = (typeof profiles)[number];

/** One question to a service. */
export interface Case {
  topic: string;
  /** A sentence whose subject is the topic. */
  name: string;
  profile: Profile;
  needs: readonly Gate[];
  run(context: Context): Promise<void>;
}

type Draft = Omit<Case, "topic">;

const draft =
  (profile: Profile) =>
  (name: string, run: Case["run"], needs: Gate[] = []): Draft => ({ name, profile, needs, run });

export const smoke = draft("smoke");
export const core = draft("core");
export const full = draft("full");

/** @param needs what all cases of the topic need */
export function topic(name: string, drafts: Draft[], needs: Gate[] = []): Case[] {
  return drafts.map((one) => ({ ...one, topic: name, needs: [...needs, ...one.needs] }));
}
