import { type DailyUsageResponse, type MonthlyUsageResponse, operations } from "@stowage/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { call } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service.close());

type Answer = DailyUsageResponse & MonthlyUsageResponse & { detail: string };

const addressOf = (path: "daily" | "monthly", query: Record<string, string>) =>
  `${service.url}/api/storage/usage/${path}/?${new URLSearchParams(query).toString()}`;
const read = (key: string, path: "daily" | "monthly", query: Record<string, string> = {}) =>
  call<Answer>(addressOf(path, query), { key });

/** A project with a file of 5 bytes, which its tenant `t` has had from the start of this day on. */
async function aProjectSince(day: string) {
  const project = await aProject();
  await aStoredFile(service.url, project.apiKey, { tenant_id: "t", bytes: "12345" });
  for (const table of ["usage_daily", "project_usage_daily"])
    await queryDatabase(
      `update ${table} u set day = $2::date, byte_ms = 5 * 86400000 from projects p where p.id = u.project_id and p.ref = $1`,
      [project.ref, day],
    );
  return project;
}

const noDownloads = { downloads_signed: 0, bytes_signed: 0, bytes_delivered: null };
const perDay = { byte_seconds: String(5 * 86_400), peak_bytes: 5, file_count: 1, uploads: 0, ...noDownloads };
const before = { byte_seconds: "0", peak_bytes: 0, file_count: 0, uploads: 0, ...noDownloads };
const range = { from: "2026-01-30", to: "2026-02-02" };

test.each([{ tenant_id: "t" }, {}])("days and months of %o, as JSON, CSV and NDJSON", async (owner) => {
  const { apiKey } = await aProjectSince("2026-01-31");
  const daily = await read(apiKey, "daily", { ...owner, ...range });
  expect(daily.status).toBe(200);
  operations.readDailyUsage.answer.strict().parse(daily.body);
  const rows = [
    { day: "2026-01-30", ...before },
    { day: "2026-01-31", ...perDay, uploads: 1 },
    { day: "2026-02-01", ...perDay },
    { day: "2026-02-02", ...perDay },
  ];
  expect(daily.body).toEqual({ days: rows });
  const monthly = await read(apiKey, "monthly", { ...owner, ...range });
  operations.readMonthlyUsage.answer.strict().parse(monthly.body);
  const months = [
    { month: "2026-01", ...perDay, uploads: 1 },
    { month: "2026-02", ...perDay, byte_seconds: String(2 * 5 * 86_400) },
  ];
  expect(monthly.body).toEqual({ months });

  const csv = await fetch(addressOf("monthly", { ...owner, ...range, format: "csv" }), {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(await csv.text()).toBe(
    "month,byte_seconds,peak_bytes,file_count,uploads,downloads_signed,bytes_signed,bytes_delivered\r\n" +
      "2026-01,432000,5,1,1,0,0,\r\n2026-02,864000,5,1,0,0,0,\r\n",
  );
  const ndjson = await fetch(addressOf("daily", { ...owner, ...range, format: "ndjson" }), {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  expect(ndjson.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
  expect(await ndjson.text()).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
});

test("without days, the answer is about this month until today, and days to come are left out", async () => {
  const { apiKey } = await aProjectSince("2026-01-31");
  const today = new Date().toISOString().slice(0, 10);
  const { body } = await read(apiKey, "daily", { tenant_id: "t" });
  expect(body.days[0]!.day).toBe(`${body.days.at(-1)!.day.slice(0, 7)}-01`);
  expect(body.days.at(-1)!.day >= today).toBe(true);
  expect((await read(apiKey, "monthly")).body.months).toHaveLength(1);
  const { body: past } = await read(apiKey, "daily", { to: "2026-02-03" });
  expect(past.days.map(({ day }) => day)).toEqual(["2026-02-01", "2026-02-02", "2026-02-03"]);
  expect((await read(apiKey, "daily", { from: "9998-12-31", to: "9999-01-01" })).body).toEqual({ days: [] });
});

test("an unknown tenant has no meters, and a project without uploads has zeros", async () => {
  const [{ apiKey }, other] = [await aProjectSince("2026-01-31"), await aProject()];
  expect(await read(other.apiKey, "daily", { tenant_id: "t" })).toMatchObject({
    status: 404,
    body: { detail: "Tenant not found" },
  });
  expect((await read(apiKey, "monthly", { tenant_id: "unknown" })).status).toBe(404);
  expect((await read(other.apiKey, "daily", { from: "2026-01-31", to: "2026-01-31" })).body).toEqual({
    days: [{ day: "2026-01-31", ...before }],
  });
});

test.each([
  [{ from: "2026-02-30" }, "from must be a day like 2026-01-31"],
  [{ from: "0000-01-01" }, "from must be a day like 2026-01-31"],
  [{ to: "2026-1-1" }, "to must be a day like 2026-01-31"],
  [{ to: "2026-01-01T00:00:00Z" }, "to must be a day like 2026-01-31"],
  [{ to: "" }, "to must be a day like 2026-01-31"],
  [{ from: "2026-02-01", to: "2026-01-31" }, "from must not be after to"],
  [{ from: "2025-01-01", to: "2026-01-02" }, "from and to must be at most 366 days"],
  [{ from: "0001-01-01" }, "from and to must be at most 366 days"],
  [{ format: "xml" }, "format must be json, csv or ndjson"],
  [{ tenant_id: "" }, "tenant_id is required"],
])("refuses %o", async (query, detail) => {
  const { apiKey } = await aProject();
  for (const path of ["daily", "monthly"] as const)
    expect(await read(apiKey, path, query as Record<string, string>)).toMatchObject({
      status: 400,
      body: { detail },
    });
});

test("signed downloads count with the bytes of their files, opened share links once each, also at a shutdown", async () => {
  const from = new Date().toISOString().slice(0, "2026-01-01".length);
  const { apiKey } = await aProject();
  const replica = await aService();
  const post = (path: string, body: object) =>
    call<{ url: string }>(`${replica.url}/api/storage/${path}/`, { key: apiKey, body });
  const [small, large] = [
    await aStoredFile(service.url, apiKey, { tenant_id: "t", bytes: "12345" }),
    await aStoredFile(service.url, apiKey, { tenant_id: "t", bytes: "x".repeat(1000) }),
  ];
  expect((await post("download", { file_path: small.file_path })).status).toBe(200);
  expect((await post("download", { file_path: "no/such/file" })).status).toBe(404);
  const paths = [small.file_path, "no/such/file", large.file_path];
  expect((await post("downloads", { file_paths: paths })).status).toBe(200);
  const visit = async (url: string, init: RequestInit = {}) => {
    const signal = AbortSignal.timeout(60_000);
    return (await fetch(replica.url + new URL(url).pathname, { redirect: "manual", signal, ...init })).status;
  };
  const { body: link } = await post("links", { file_path: large.file_path, password: "correct horse" });
  const guess = (password: string) =>
    visit(link.url, { method: "POST", body: new URLSearchParams({ password }) });
  expect([await visit(link.url), await guess("wrong password")]).toEqual([200, 403]);
  expect(await guess("correct horse")).toBe(302);
  const { body: withoutPassword } = await post("links", { file_path: small.file_path });
  expect(await visit(withoutPassword.url, { method: "HEAD" })).toBe(302);
  await replica.close();
  const { days } = (await read(apiKey, "daily", { tenant_id: "t", from })).body;
  const sum = (member: "downloads_signed" | "bytes_signed") =>
    days.reduce((total, day) => total + day[member], 0);
  expect([sum("downloads_signed"), sum("bytes_signed")]).toEqual([4, 5 + 5 + 1000 + 1000]);
});
