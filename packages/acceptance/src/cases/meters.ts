import { core, full, topic } from "../case.js";
import type { Context, Query } from "../context.js";
import { aTextLike, exactly } from "../expect/match.js";
import type { Meters } from "../wire.js";

/** The service writes signed downloads every 5 seconds, and a file counts after its first second. */
const COUNT_LIMIT_MS = 60_000;
/** Days before the first version of the service. */
const PAST = { from: "2020-01-30", to: "2020-02-01" };
const PAST_DAYS = ["2020-01-30", "2020-01-31", "2020-02-01"];
const PAST_MONTHS = ["2020-01", "2020-02"];
const UNUSED = {
  byte_seconds: "0",
  peak_bytes: 0,
  file_count: 0,
  uploads: 0,
  downloads_signed: 0,
  bytes_signed: 0,
  bytes_delivered: null,
};
const DAY_LENGTH = "2026-01-31".length;

/** `GET /api/storage/usage/daily/` and `GET /api/storage/usage/monthly/` */
export const meterCases = topic("the meters", [
  core("of a tenant count its uploads, and its bytes for each second", async (t) => {
    const tenant_id = await t.ownTenant();
    const from = await storedOn(t, tenant_id);
    await storedOn(t, tenant_id);
    const last = { peak_bytes: 10, file_count: 2, byte_seconds: aTextLike(/^[1-9]/) };
    await t.eventually(COUNT_LIMIT_MS, () => count(t, { tenant_id, from }, { uploads: 2 }, last));
  }),
  core("of the project count what its tenants do", async (t) => {
    const from = await storedOn(t, await t.ownTenant());
    await count(t, { from }, { uploads: 1 }, {}, (sum, least) => sum >= least);
  }),
  full("count each URL that downloads a file, and its bytes", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path, created_at } = await t.cleanFile({ tenant_id });
    await t.download({ file_path });
    (await t.post("downloads", { file_paths: [file_path] })).ok();
    const { url } = await t.link({ file_path });
    (await t.visit(url)).hasStatus(302);
    const from = created_at.slice(0, DAY_LENGTH);
    const sums = { downloads_signed: 3, bytes_signed: 15 };
    await t.eventually(COUNT_LIMIT_MS, () => count(t, { tenant_id, from }, sums));
  }),
  core("have a row for each day and month, also before the first upload", async (t) => {
    const tenant_id = await t.ownTenant();
    await storedOn(t, tenant_id);
    for (const query of [{ tenant_id, ...PAST }, PAST]) {
      const days = PAST_DAYS.map((day) => exactly({ day, ...UNUSED }));
      (await t.get("usage/daily", query)).ok(exactly({ days }));
      const months = PAST_MONTHS.map((month) => exactly({ month, ...UNUSED }));
      (await t.get("usage/monthly", query)).ok(exactly({ months }));
    }
  }),
  core("are also CSV and NDJSON", async (t) => {
    const tenant_id = await t.ownTenant();
    const from = await storedOn(t, tenant_id);
    for (const [call, first, name] of [
      ["daily", "day", /^\d{4}-\d\d-\d\d$/],
      ["monthly", "month", /^\d{4}-\d\d$/],
    ] as const) {
      const query = { tenant_id, from };
      const csv = await t.get(`usage/${call}`, { ...query, format: "csv" });
      csv.hasStatus(200);
      csv.hasHeader("content-type", /^text\/csv/);
      const [names, ...rows] = csv.text.split("\r\n");
      csv.must("a line of names", names === [first, ...Object.keys(UNUSED)].join());
      csv.must(
        "a line with 1 file of 5 bytes",
        rows.some((row) => /^[\d-]+,\d+,5,1,1,0,0,0?$/.test(row)),
      );

      const ndjson = await t.get(`usage/${call}`, { ...query, format: "ndjson" });
      ndjson.hasStatus(200);
      ndjson.hasHeader("content-type", /^application\/x-ndjson/);
      const lines = ndjson.text.trimEnd().split("\n");
      const values = lines.map((line) => ndjson.line<Meters>(line, { [first]: aTextLike(name) }));
      ndjson.must("1 upload", sumOf(values, "uploads") === 1);
    }
  }),
  core("of a tenant that does not exist are not found", async (t) => {
    const tenant_id = await t.ownTenant("-unknown");
    if (t.facts.raisesQuota) return;
    for (const call of ["usage/daily", "usage/monthly"])
      (await t.get(call, { tenant_id })).refused(404, "tenant_not_found", "Tenant not found");
  }),
  ...(
    [
      ["from a day that does not exist", { from: "2026-02-30" }, "from must be a day like 2026-01-31"],
      ["to a time", { to: "2026-01-31T12:00:00Z" }, "to must be a day like 2026-01-31"],
      ["of days that end before they begin", { from: PAST.to, to: PAST.from }, "from must not be after to"],
      ["of 367 days", { from: "2020-01-01", to: "2021-01-01" }, "from and to must be at most 366 days"],
      ["in another format", { format: "xml" }, "format must be json, csv or ndjson"],
    ] as const
  ).map(([what, query, detail]) =>
    core(`${what} are refused`, async (t) => {
      for (const call of ["usage/daily", "usage/monthly"])
        (await t.get(call, query)).refused(400, "invalid_request", detail);
    }),
  ),
]);

/** Stores a file of 5 bytes. @returns a day until which the service has counted no upload of the file, by the service's clock */
async function storedOn(t: Context, tenant_id: string): Promise<string> {
  const { created_at } = await t.stored({ tenant_id });
  return created_at.slice(0, DAY_LENGTH);
}

type Count = Exclude<keyof Meters, "byte_seconds" | "bytes_delivered">;

/**
 * Reads days and months, and expects sums of their rows.
 *
 * @param last what the last row has
 * @param isExpected compares a sum with the expected one
 */
async function count(
  t: Context,
  query: Query,
  sums: Partial<Record<Count, number>>,
  last: object = {},
  isExpected = (got: number, expected: number) => got === expected,
): Promise<void> {
  for (const [call, list] of [
    ["usage/daily", "days"],
    ["usage/monthly", "months"],
  ] as const) {
    const answer = await t.get(call, query);
    const rows = answer.ok<Record<typeof list, Meters[]>>()[list];
    answer.line(JSON.stringify(rows.at(-1)), last);
    for (const [member, expected] of Object.entries(sums) as [Count, number][]) {
      const got = sumOf(rows, member);
      answer.must(`${member} that sum up to ${expected}`, isExpected(got, expected), `${got}`);
    }
  }
}

function sumOf(rows: Meters[], member: Count): number {
  return rows.reduce((sum, row) => sum + row[member], 0);
}
