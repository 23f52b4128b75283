import { createStowageClient } from "@stowage/server/client";
import postgres from "postgres";
import type Stripe from "stripe";
import { beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { importExample } from "../fixtures/build-guide-page.js";
import { aStripeFront } from "./fixtures/stripe-front.js";

/*
 * The job of docs/guides/billing-with-stripe.md as it is there, with Stripe's SDK and a real service.
 */
interface Bill {
  tenantId: string;
  stripeCustomerId: string;
  day: string;
  gbHours: number;
  sent: boolean;
}

interface BillTable {
  since(tenantId: string, day: string): Promise<Bill[]>;
  insert(bill: Bill): Promise<void>;
  unsent(): Promise<Bill[]>;
  markSent(bill: Bill): Promise<void>;
}

interface Customer {
  tenantId: string;
  stripeCustomerId: string;
  firstDay: string;
}

interface Guide {
  addBills(bills: BillTable, customer: Customer, now: Date): Promise<void>;
  sendBills(bills: BillTable, stripe: Stripe): Promise<void>;
}

let guide: Guide;
let apiKey: string;
let projectRef: string;

beforeAll(async () => {
  ({ apiKey, ref: projectRef } = await aProject());
  guide = await importExample("guides/billing-with-stripe.md", "bill-storage.ts", apiKey);
});

let lastTenant = 0;

/** A customer that has had 1.51 GB since 30 January 2026: 36.24 GB-hours a day. */
async function aCustomer(): Promise<Customer & { sql: postgres.Sql }> {
  const tenantId = `user_${++lastTenant}`;
  const client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
  await client.upload({ tenantId, file: Buffer.from("x"), filename: "a.txt" });
  const sql = postgres(inject("stowage").databaseUrl, { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  await sql`update usage_daily u set day = '2026-01-30', uploaded_bytes = 1510000000, byte_ms = 1510000000::numeric * 86400000
    from projects p join tenants t on t.project_id = p.id
    where p.ref = ${projectRef} and t.tenant_id = ${tenantId} and u.project_id = p.id and u.tenant = t.id`;
  return { tenantId, stripeCustomerId: `cus_${tenantId}`, firstDay: "2026-01-30", sql };
}

/** The reader's table. `crash` is called before and after each statement. */
function aBillTable(crash: () => void = () => {}): BillTable {
  const rows = new Map<string, Bill>();
  const statement = async <Result>(run: () => Result): Promise<Result> => {
    crash();
    const result = run();
    crash();
    return structuredClone(result);
  };
  const keyOf = ({ tenantId, day }: Bill) => `${tenantId} ${day}`;
  const listed = () => [...rows.values()];
  return {
    since: (tenantId, day) =>
      statement(() => listed().filter((row) => row.tenantId === tenantId && row.day >= day)),
    insert: (bill) => statement(() => void rows.set(keyOf(bill), bill)),
    unsent: () => statement(() => listed().filter(({ sent }) => !sent)),
    markSent: (bill) => statement(() => void (rows.get(keyOf(bill))!.sent = true)),
  };
}

const eventsOf = (customer: Customer, gbHours: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(gbHours).map(([day, value]) => [
      `storage_gb_hours-${customer.stripeCustomerId}-${day}`,
      `${customer.stripeCustomerId}: ${value}`,
    ]),
  );

/** The sums of a month are its GB-hours rounded down: 72.48, then 181.2. */
const WEEK = {
  "2026-01-30": 36,
  "2026-01-31": 36,
  "2026-02-01": 36,
  "2026-02-02": 36,
  "2026-02-03": 36,
  "2026-02-04": 36,
  "2026-02-05": 37,
};
const REFUSED = { status: 429, retries: false };
const AN_HOUR_AFTER = new Date("2026-02-06T01:00:00Z");

test("each whole day is one event, also when the job runs again, and a correction is in the next one", async () => {
  const [front, bills, customer] = [await aStripeFront(), aBillTable(), await aCustomer()];
  const run = async (now: string) => {
    await guide.addBills(bills, customer, new Date(now));
    await guide.sendBills(bills, front.stripe);
    return Object.fromEntries(front.events);
  };
  expect(await run("2026-01-31T00:59:59Z")).toEqual({});
  for (let hour = 1; hour <= 3; hour++) await run(`2026-01-31T0${hour}:00:00Z`);
  const { "2026-02-05": _last, ...before } = WEEK;
  expect(await run("2026-02-06T00:59:59Z")).toEqual(eventsOf(customer, before));
  expect(await run("2026-02-06T01:00:00Z")).toEqual(eventsOf(customer, WEEK));
  expect(await run("2026-02-06T02:00:00Z")).toEqual(eventsOf(customer, WEEK));
  await customer.sql`insert into usage_daily
    (project_id, tenant, day, uploads, uploaded_bytes, deleted_files, deleted_bytes, byte_ms)
    select t.project_id, t.id, '2026-02-03', 0, 0, 0, 0, 10 * 3600000000000000::numeric from tenants t join projects p on p.id = t.project_id
    where p.ref = ${projectRef} and t.tenant_id = ${customer.tenantId}`;
  expect(await run("2026-02-07T01:00:00Z")).toEqual(eventsOf(customer, { ...WEEK, "2026-02-06": 46 }));
  expect(front.mistakes).toEqual([]);
});

test("an outage of Stripe is repeated by the SDK, what Stripe refuses by the next run, and others are sent meanwhile", async () => {
  const [front, bills, customer] = [await aStripeFront(), aBillTable(), await aCustomer()];
  await guide.addBills(bills, customer, AN_HOUR_AFTER);
  front.faults.push({ status: 500 }, "lost", undefined, REFUSED);
  const failed = await guide.sendBills(bills, front.stripe).catch((error: unknown) => error);
  expect(failed).toMatchObject({ message: "Bills that were not sent: 1", errors: [{ statusCode: 429 }] });
  expect(front.events.size).toBe(6);
  await guide.sendBills(bills, front.stripe);
  expect(Object.fromEntries(front.events)).toEqual(eventsOf(customer, WEEK));
  expect(front.mistakes).toEqual([]);
});

test("a job that is killed before or after any statement continues in its next run, and no day counts twice", async () => {
  const customer = await aCustomer();
  for (let statements = 1, isDone = false; !isDone; statements++) {
    const front = await aStripeFront();
    let left = statements;
    const bills = aBillTable(() => {
      if (--left > 0) return;
      // What comes after the end of the process has no effect.
      front.faults.push(...Object.keys(WEEK).map(() => REFUSED));
      throw new Error("killed");
    });
    const run = async () => {
      await guide.addBills(bills, customer, AN_HOUR_AFTER);
      await guide.sendBills(bills, front.stripe);
    };
    await run().catch(() => {});
    isDone = left > 0;
    left = Infinity;
    front.faults.length = 0;
    await run();
    expect(Object.fromEntries(front.events), `${statements} statements`).toEqual(eventsOf(customer, WEEK));
    expect(front.mistakes).toEqual([]);
  }
});

test("a customer who has not uploaded, or whose first day is to come, has no bill", async () => {
  const bills = aBillTable();
  const unknown = { tenantId: "unknown", stripeCustomerId: "cus_unknown", firstDay: "2026-01-30" };
  await guide.addBills(bills, unknown, AN_HOUR_AFTER);
  const customer = await aCustomer();
  await guide.addBills(bills, { ...customer, firstDay: "2026-02-06" }, AN_HOUR_AFTER);
  expect(await bills.unsent()).toEqual([]);
});
