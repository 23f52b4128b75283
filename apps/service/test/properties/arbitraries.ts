import fc from "fast-check";
import { LARGE_TENANT, type Operation, PROJECTS, REPLICAS, type Step, TENANTS } from "./operations.js";

export const SECOND = 1000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;

/** Indexes. A file is one of the requested ones, modulo their number. */
export const file = fc.nat({ max: 9 });
export const project = fc.nat({ max: PROJECTS - 1 });
export const size = fc.nat({ max: 60 });

/** Mostly about files that are sent with a single PUT. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
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
    // Two of them exceed the quota of their tenant.
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("upload" as const),
      project: fc.constant(1),
      tenant: fc.constant(0),
      size: fc.constant(null),
      key: fc.constant(null),
      isSent: fc.constant(true),
      sentBytes: fc.constantFrom(60, 90, 101),
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

const part = fc.nat({ max: 1 });
export const partTenant = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: TENANTS - 1 }) },
  { weight: 1, arbitrary: fc.constant(LARGE_TENANT) },
);

/** Mostly about uploads by parts, with the same keys, tenants and quotas as single PUTs. */
const partsOperation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant("open parts" as const),
      project,
      tenant: partTenant,
      size: fc.integer({ min: 1, max: 60 }),
      key: fc.constant(null),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("open parts" as const),
      project,
      tenant: fc.constant(0),
      size: fc.constantFrom(20, 20, 50),
      key: fc.constantFrom("one", "two"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("sign parts" as const), file, part }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("send parts" as const), file }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("put part" as const),
      file,
      part,
      url: fc.constantFrom("oldest" as const, "newest" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("put part of another length" as const), file, part }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant("complete" as const), file }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("cancel" as const), file }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  { weight: 10, arbitrary: operation },
);

export const aStep = ({
  operation,
  lastCrash,
  shortTimes,
  longTimes,
}: {
  operation: fc.Arbitrary<Operation>;
  /** A process dies at most at this call. */
  lastCrash: number;
  /** Milliseconds. */
  shortTimes: number[];
  longTimes: number[];
}): fc.Arbitrary<Step> =>
  fc.record({
    operations: fc.array(fc.record({ operation, replica: fc.nat({ max: REPLICAS - 1 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    crash: fc.option(
      fc.record({
        call: fc.nat({ max: lastCrash }),
        when: fc.constantFrom("before" as const, "after" as const),
      }),
      { freq: 5 },
    ),
    advanceMs: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.constantFrom(...shortTimes) },
      { weight: 1, arbitrary: fc.constantFrom(...longTimes) },
    ),
  });

const anArrayOf = (step: fc.Arbitrary<Step>) => fc.array(step, { minLength: 1, maxLength: 10 });

/** Histories of files that are sent with a single PUT. */
export const steps = anArrayOf(
  aStep({
    operation,
    lastCrash: 4,
    shortTimes: [SECOND, 9 * SECOND],
    longTimes: [20 * 60 * SECOND, HOUR + 10 * SECOND],
  }),
);

/** Histories of files that are sent in parts, whose sessions last one day. */
export const partsSteps = anArrayOf(
  aStep({
    operation: partsOperation,
    lastCrash: 9,
    shortTimes: [SECOND, 16 * SECOND],
    longTimes: [20 * 60 * SECOND, HOUR + 10 * SECOND, 24 * HOUR + 10 * SECOND],
  }),
);
