import fc from "fast-check";
import { DAY_MS } from "#lib/time.js";
import type { CallKind } from "./crash.js";

/* The steps of the random histories of public files: see visibility-history.ts. */

/** What happens to one file. */
const changes = {
  public: 6,
  private: 8,
  delete: 3,
  /** Deletes it for good, also from the trash. */
  purge: 2,
  cancel: 1,
  restore: 1,
  /** Its upload URL is used once more, for other bytes. */
  replay: 1,
  /** Its variant is asked for. */
  demand: 4,
  infect: 1,
  clear: 1,
};
export type Change = keyof typeof changes;

export type Action =
  | { do: "upload"; isPublic: boolean; isSettled: boolean }
  | { do: Change; file: number }
  /** One run of a job. `work` runs workers and mover until nothing is due. */
  | { do: "make" | "move" | "work" | "remove variants" | "sweep" }
  /** Storage ends the copies that it has not answered. */
  | { do: "land" }
  | { do: "change preset"; width: number }
  | { do: "wait"; ms: number };

/** What goes wrong in a step: at its n-th call of this kind. */
export interface Trouble {
  at: CallKind;
  nth: number;
  /**
   * - `dies …`: the process ends, before or after the call takes effect
   * - `fails`: the call has no effect. `loses its answer`: it has one. The process lives on in both cases
   * - `lands late`: storage does not answer a copy into the public bucket, and makes it later
   * - `is overtaken …`: another process does something, before or after the call takes effect
   */
  what: (typeof troubles)[number] | "lands late";
  by: Action;
}
const troubles = [
  "dies before",
  "dies after",
  "fails",
  "loses its answer",
  "is overtaken before",
  "is overtaken after",
] as const;

/** A process that failed tries again after this time. */
const RETRY_MS = 20_000;
/** After this time a dead process has no lease any more. */
export const LEASE_MS = 5 * 60_000;
/** After this time no upload URL is valid any more, and no job looks at a file that is at rest. */
export const OLD_MS = 2 * DAY_MS;

const upload = fc.record({
  do: fc.constant("upload" as const),
  isPublic: fc.boolean(),
  isSettled: fc.constantFrom(true, true, false),
});
const job = (...jobs: ("make" | "move" | "work" | "remove variants" | "sweep" | "land")[]) =>
  fc.record({ do: fc.constantFrom(...jobs) });
const wait = (...ms: number[]) => fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(...ms) });
const change = fc.oneof(
  ...Object.entries(changes).map(([name, weight]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(name as Change), file: fc.nat(1) }),
  })),
);
const others = [
  { weight: 8, arbitrary: change },
  { weight: 1, arbitrary: upload },
  { weight: 3, arbitrary: job("move", "make", "sweep") },
  { weight: 2, arbitrary: job("land", "remove variants") },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("change preset" as const), width: fc.constantFrom(4, 5) }),
  },
];
const action: fc.Arbitrary<Action> = fc.oneof(
  ...others,
  // Often, because most files are made, published and at rest when something happens to them.
  { weight: 5, arbitrary: job("work") },
  { weight: 2, arbitrary: wait(RETRY_MS, LEASE_MS, OLD_MS) },
);

/** The calls of a step at which a trouble says most. */
function callsOf(action: Action): CallKind[] {
  switch (action.do) {
    case "public":
      return ["publish", "remove", "database"];
    case "private":
      return ["take back", "remove published", "purge", "database"];
    case "move":
    case "work":
      return ["publish", "take back", "remove", "remove published", "purge", "database"];
    case "make":
      return ["storage", "write", "database"];
    case "delete":
    case "purge":
    case "cancel":
    case "sweep":
    case "remove variants":
      return ["remove", "remove published", "purge", "database"];
    default:
      return ["storage", "database"];
  }
}

// Without a longer pause: a process that lives ends before its lease does.
const by = fc.oneof(...others, { weight: 1, arbitrary: wait(RETRY_MS) });

function troubleOf(action: Action): fc.Arbitrary<Trouble> {
  return fc.constantFrom(...callsOf(action)).chain((at) => (at === "publish" ? copyTrouble : troubleAt(at)));
}

function troubleAt(at: CallKind): fc.Arbitrary<Trouble> {
  const nth = at === "database" ? fc.nat(11) : fc.constantFrom(0, 0, 1);
  return fc.record({ at: fc.constant(at), nth, what: fc.constantFrom(...troubles), by });
}

const copyTrouble: fc.Arbitrary<Trouble> = fc.record({
  at: fc.constant("publish" as const),
  // The first copy is the file, and the others are its variants.
  nth: fc.constantFrom(0, 1, 1),
  what: fc.constantFrom(...troubles, "lands late", "lands late"),
  by,
});

export type Step = [Action, Trouble | null];
const step: fc.Arbitrary<Step> = action.chain((chosen) =>
  fc.tuple(
    fc.constant(chosen),
    fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: troubleOf(chosen) }),
  ),
);

/** A copy has trouble, and soon the file must not be public any more. */
const interruptedCopy: fc.Arbitrary<Step[]> = fc
  .record({
    copying: fc.constantFrom<Action>({ do: "public", file: 0 }, { do: "move" }, { do: "work" }),
    trouble: copyTrouble,
    goesOn: fc.boolean(),
    ending: fc.constantFrom<Change>("private", "private", "delete", "purge", "infect"),
  })
  .map(({ copying, trouble, goesOn, ending }) => [
    [copying, trouble],
    ...(goesOn ? retry : []),
    [{ do: ending, file: 0 }, null],
  ]);
const retry: Step[] = [
  [{ do: "wait", ms: RETRY_MS }, null],
  [{ do: "move" }, null],
];

export const histories = fc.record({
  /**
   * What the first file, which has a variant, is before the first step. `publishing`: it has to be public, and no process has begun to move
   * it.
   */
  first: fc.constantFrom("private", "publishing", "public"),
  /** Whether nothing checks the path of the first file any more. */
  isOld: fc.boolean(),
  /** For how many days the project keeps deleted files. */
  trashDays: fc.constantFrom(0, 0, 7),
  steps: fc
    .array(
      fc.oneof({ weight: 3, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: interruptedCopy }),
      { minLength: 2, maxLength: 9 },
    )
    .map((parts) => parts.flat()),
});
export type HistoryInput = typeof histories extends fc.Arbitrary<infer Value> ? Value : never;
