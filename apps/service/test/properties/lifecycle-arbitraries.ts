import { scanVerdicts } from "@stowage/schemas";
import fc from "fast-check";
import { aStep, DAY, file, HOUR, operation, partTenant, project, SECOND, size } from "./arbitraries.js";
import {
  LARGE_TENANT,
  type LifecycleSettings,
  type Operation,
  type ScannerBehavior,
  type Step,
  TENANTS,
} from "./operations.js";

/** Seconds. A file without one has no end. */
const expiresAfter = fc.constantFrom(undefined, 60, 3600, DAY / SECOND, (2 * DAY) / SECOND);
const isSent = fc.constantFrom(true, true, false);

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
      expiresAfter,
      isSent,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("open parts" as const),
      project,
      tenant: partTenant,
      size: fc.integer({ min: 1, max: 60 }),
      key: fc.constant(null),
      expiresAfter,
      isSent,
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
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("scan" as const),
      scanner: fc.constantFrom<ScannerBehavior[]>("answers", "answers", "hangs up", "is late"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("delete tenant" as const),
      project,
      tenant: fc.nat({ max: LARGE_TENANT }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  { weight: 12, arbitrary: operation },
);

const lifecycleStep = aStep({
  operation: lifecycleOperation,
  lastCrash: 6,
  shortTimes: [SECOND, 61 * SECOND],
  longTimes: [HOUR + 10 * SECOND, DAY + 10 * SECOND],
});

const oneByOne = (operations: Operation[], advanceMs = 0): Step[] =>
  operations.map((operation) => ({ operations: [{ operation, replica: 0 }], crash: null, advanceMs }));

/** A verdict about a file, and then a PUT that replaces the bytes. A download is tried after each step. */
const replayAfterVerdict = fc.record({ file, size }).map(({ file, size }) =>
  oneByOne([
    { do: "report scan", file, verdict: "clean", etag: "right" },
    { do: "scan", scanner: "answers" },
    { do: "put", file, size },
  ]),
);

/** The end of a file that is on hold. */
const endOnHold = fc
  .record({ file })
  .map(({ file }) => [
    ...oneByOne([{ do: "hold", file }], 2 * DAY + 10 * SECOND),
    ...oneByOne([{ do: "sweep" }]),
  ]);

/** Deletions of all tenants of a project that has a file on hold, if the file is stored. */
const deletionOnHold = fc.record({ file, project }).map(({ file, project }) =>
  oneByOne([
    { do: "hold", file },
    { do: "delete tenant", project, tenant: 0 },
    { do: "delete tenant", project, tenant: 1 },
  ]),
);

/** Histories of files that expire, are deleted, restored, put on hold and scanned. Files stay in a trash for one day, if at all. */
export const lifecycleSteps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: lifecycleStep.map((step) => [step]) },
      { weight: 1, arbitrary: fc.oneof(replayAfterVerdict, endOnHold, deletionOnHold) },
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((steps) => steps.flat());

export const lifecycleSettings: fc.Arbitrary<LifecycleSettings> = fc
  .record({
    allowOverQuota: fc.boolean(),
    trashDays: fc.constantFrom(1, 1, 0),
    scanned: fc.constantFrom(
      { scan: "off" as const, allowUnscannable: false },
      { scan: "external" as const, allowUnscannable: false },
      { scan: "external" as const, allowUnscannable: true },
      { scan: "clamav" as const, allowUnscannable: false },
      { scan: "clamav" as const, allowUnscannable: true },
    ),
  })
  .map(({ scanned, ...settings }) => ({ ...settings, ...scanned }));
