import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "@stowage/dev-postgres";
import { measurePages } from "./pages/measure-pages.js";
import { printMeasured } from "./pages/print-measured.js";
import { startService } from "./pages/start-service.js";
import { signIn } from "./pages/sign-in.js";
import { connect } from "./processes/connect.js";
import { isSeeded, seedDatabase } from "./seed/seed-database.js";
import { fullSize } from "./seed/size.js";

const { values } = parseArgs({
  options: {
    projects: { type: "string", default: String(fullSize.projects) },
    tenants: { type: "string", default: String(fullSize.tenants) },
    files: { type: "string", default: String(fullSize.files) },
    repeats: { type: "string", default: "15" },
  },
});
/** Clean-ups, run in reverse order at the end. */
const ends: (() => Promise<unknown>)[] = [];
try {
  const databaseUrl = process.env["DATABASE_URL"] || (await startDatabase());
  const service = await startService(databaseUrl);
  ends.push(() => service.stop());
  const client = await signIn(service);
  await seedUnlessThere(databaseUrl);
  const measured = await measurePages(service, client, { repeats: Number(values.repeats), deepPages: 100 });
  console.log(`\n${printMeasured(measured)}`);
} finally {
  for (const end of ends.toReversed()) await end();
}

/** Starts PostgreSQL with its default durability. */
async function startDatabase(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-bench-"));
  ends.push(() => rm(dir, { recursive: true, force: true }));
  const postgres = await startPostgres({ dir });
  ends.push(() => postgres.stop());
  return postgres.url;
}

async function seedUnlessThere(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl);
  try {
    if (await isSeeded(sql)) return;
    const size = {
      projects: Number(values.projects),
      tenants: Number(values.tenants),
      files: Number(values.files),
    };
    await seedDatabase(sql, { ...size, seed: 1, until: new Date(), add: false }, (line) => console.log(line));
  } finally {
    await sql.end();
  }
}
