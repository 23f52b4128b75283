import { type ScanVerdict, scanVerdicts } from "@stowage/schemas";
import fc from "fast-check";
import type { CrashPoint } from "./crash.js";

/** One operation. `file` is an index into the list of requested files, modulo its length. */
export type Operation =
  | {
      do: "upload";
      project: number;
      tenant: number;
      size: number | null;
      key: string | null;
      /** Seconds. @default the file has no end */
      expiresAfter?: number;
      /** Sends the bytes and completes the upload in the same operation. @default false */
      isSent?: boolean;
    }
  | { do: "put"; file: number; size: number }
  | { do: "put of another length"; file: number; size: number }
  | { do: "cut put"; file: number }
  | { do: "complete"; file: number }
  | { do: "read"; file: number }
  | { do: "event"; file: number; times: number }
  | { do: "cancel"; file: number }
  | { do: "open parts"; project: number; tenant: number; size: number; key: string | null }
  | PartOperation
  | LifecycleOperation
  | { do: "call from another project"; file: number }
  | { do: "sweep" }
  | { do: "regenerate key"; project: number };

/** An operation on the parts of a file. `part` is a part's number, modulo the number of parts. */
export type PartOperation =
  | { do: "sign parts"; file: number; part: number }
  /** Signs all parts and sends them. */
  | { do: "send parts"; file: number }
  /** With the oldest URL of the part, which may belong to an upload that has ended, or with the newest one. */
  | { do: "put part"; file: number; part: number; url: "oldest" | "newest" }
  | { do: "put part of another length"; file: number; part: number };

/** An operation on a file's ends, its hold and its scan. */
export type LifecycleOperation =
  | { do: "download" | "delete" | "purge" | "restore" | "hold" | "release"; file: number }
  /** The verdict of the customer's own scanner, about the bytes in storage or about others. */
  | { do: "report scan"; file: number; verdict: ScanVerdict; etag: "right" | "wrong" };

/** What a project of a history has decided. */
export interface LifecycleSettings {
  trashDays: number;
  scan: "off" | "external";
}

/** Operations that run at the same time on replicas, the point where the first one's process dies, and the time until the next step. */
export interface Step {
  operations: { operation: Operation; replica: number }[];
  crash: CrashPoint | null;
  advanceMs: number;
}

export const PROJECTS = 2;
const TENANTS = 2;
/** A tenant with a larger quota, for files of two parts. */
export const LARGE_TENANT = 2;
export const REPLICAS = 2;

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

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

const part = fc.nat({ max: 1 });
const partTenant = fc.oneof(
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

const LIFECYCLE_WEIGHTS = { download: 5, delete: 6, purge: 2, restore: 6, hold: 4, release: 3 } as const;

/** Mostly about files that are stored, and then end in one of the ways, or do not. */
const lifecycleOperation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant("upload" as const),
      project,
      tenant: fc.nat({ max: TENANTS - 1 }),
      size: fc.option(size, { freq: 5 }),
      key: fc.constant(null),
      expiresAfter: fc.constantFrom(60, 3600, DAY / SECOND, (2 * DAY) / SECOND),
      isSent: fc.constantFrom(true, true, false),
    }),
  },
  ...Object.entries(LIFECYCLE_WEIGHTS).map(([kind, weight]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(kind as keyof typeof LIFECYCLE_WEIGHTS), file }),
  })),
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("report scan" as const),
      file,
      verdict: fc.constantFrom("clean" as const, ...scanVerdicts),
      etag: fc.constantFrom("right" as const, "right" as const, "wrong" as const),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("put" as const), file, size }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  { weight: 12, arbitrary: operation },
);

const aStep = ({
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

/** Histories of files that expire, are deleted, restored, put on hold and scanned. Files stay in a trash for one day, if at all. */
export const lifecycleSteps = anArrayOf(
  aStep({
    operation: lifecycleOperation,
    lastCrash: 6,
    shortTimes: [SECOND, 61 * SECOND],
    longTimes: [HOUR + 10 * SECOND, DAY + 10 * SECOND],
  }),
);

export const lifecycleSettings: fc.Arbitrary<LifecycleSettings> = fc.record({
  trashDays: fc.constantFrom(1, 1, 0),
  scan: fc.constantFrom("off" as const, "external" as const),
});
