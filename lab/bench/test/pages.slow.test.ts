import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#processes/connect.js";
import { measurePages } from "#pages/measure-pages.js";
import { printMeasured } from "#pages/print-measured.js";
import { type RunningService, startService } from "#pages/start-service.js";
import { type DashboardClient, signIn } from "#pages/sign-in.js";
import { seedDatabase } from "#seed/seed-database.js";
import { aPostgres } from "./fixtures.js";

const MAX_ROUNDS = 5;
const size = { projects: 1000, tenants: 10_000, files: 100_000 };

let server: Awaited<ReturnType<typeof aPostgres>>;
let service: RunningService;
let client: DashboardClient;
beforeAll(async () => {
  server = await aPostgres();
  service = await startService(server.url);
  client = await signIn(service);
  const sql = connect(server.url);
  await seedDatabase(sql, { ...size, seed: 1, until: new Date(), add: false }).finally(() => sql.end());
});
afterAll(async () => {
  await service.stop();
  await server.end();
});

test(`answers every page's first calls within 100 ms at ${size.files} files`, async () => {
  // The fastest of a few calls, and of a few more if one is late, because other tests may load the machine.
  const measure = () => measurePages(service, client, { repeats: 5, deepPages: 20 });
  let measured = await measure();
  const late = () => measured.filter(({ fastestMs }) => fastestMs >= 100);
  for (let round = 1; round < MAX_ROUNDS && late().length > 0; round++) {
    const again = await measure();
    measured = measured.map((one, call) => (again[call]!.fastestMs < one.fastestMs ? again[call]! : one));
  }
  expect(measured.length).toBeGreaterThan(25);
  expect(late(), printMeasured(measured)).toEqual([]);
}, 300_000);
