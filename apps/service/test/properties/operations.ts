import fc from "fast-check";
import type { CrashPoint } from "./crash.js";

/** One operation. `file` is an index into the list of requested files, modulo its length. */
export type Operation =
  | { do: "upload"; project: number; tenant: number; size: number | null; key: string | null }
  | { do: "put"; file: number; size: number }
  | { do: "put of another length"; file: number; size: number }
  | { do: "cut put"; file: number }
  | { do: "complete"; file: number }
  | { do: "download"; file: number }
  | { do: "read"; file: number }
  | { do: "event"; file: number; times: number }
  | { do: "delete"; file: number }
  | { do: "cancel"; file: number }
  | { do: "call from another project"; file: number }
  | { do: "sweep" }
  | { do: "regenerate key"; project: number };

/** Operations that run at the same time on replicas, the point where the first one's process dies, and the time until the next step. */
export interface Step {
  operations: { operation: Operation; replica: number }[];
  crash: CrashPoint | null;
  advanceMs: number;
}

export const PROJECTS = 2;
const TENANTS = 2;
export const REPLICAS = 2;

const SECOND = 1000;
const HOUR = 3600 * SECOND;

const file = fc.nat({ max: 9 });
const project = fc.nat({ max: PROJECTS - 1 });
const size = fc.nat({ max: 60 });

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("upload" as const),
      project,
      tenant: fc.nat({ max: TENANTS - 1 }),
      size: fc.option(size, { freq: 3 }),
      key: fc.constant(null),
    }),
  },
  {
    // Few keys, tenants and sizes, so that requests often repeat an earlier one.
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("upload" as const),
      project,
      tenant: fc.constant(0),
      size: fc.constantFrom(20, 20, 50),
      key: fc.constantFrom("one", "two"),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("put" as const), file, size }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("put of another length" as const), file, size }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cut put" as const), file }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("complete" as const), file }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("download" as const), file }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("read" as const), file }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("event" as const), file, times: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("delete" as const), file }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel" as const), file }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("call from another project" as const), file }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("regenerate key" as const), project }) },
);

const step: fc.Arbitrary<Step> = fc.record({
  operations: fc.array(fc.record({ operation, replica: fc.nat({ max: REPLICAS - 1 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  crash: fc.option(
    fc.record({ call: fc.nat({ max: 4 }), when: fc.constantFrom("before" as const, "after" as const) }),
    { freq: 5 },
  ),
  advanceMs: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constantFrom(SECOND, 9 * SECOND) },
    { weight: 1, arbitrary: fc.constantFrom(20 * 60 * SECOND, HOUR + 10 * SECOND) },
  ),
});

export const steps = fc.array(step, { minLength: 1, maxLength: 10 });
