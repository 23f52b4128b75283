import { parseArgs } from "node:util";
import { connect } from "./processes/connect.js";
import { migrateDatabase } from "./processes/migrate-database.js";
import { seedDatabase } from "./seed/seed-database.js";
import { fullSize } from "./seed/size.js";

const USAGE = `DATABASE_URL=postgres://… npx pnpm --filter @stowage/bench seed [options]

  --projects <n>   default ${fullSize.projects}; the first has half of all tenants and files
  --tenants <n>    default ${fullSize.tenants}
  --files <n>      default ${fullSize.files}
  --seed <n>       default 1; the same seed makes the same database
  --until <date>   creation time of the newest file, default now
  --add            allow a database that already has projects
`;

const { values } = parseArgs({
  options: {
    projects: { type: "string" },
    tenants: { type: "string" },
    files: { type: "string" },
    seed: { type: "string" },
    until: { type: "string" },
    add: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const databaseUrl = process.env["DATABASE_URL"];
if (values.help || !databaseUrl) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 1);
}

const count = (text: string | undefined, fallback: number) => (text === undefined ? fallback : Number(text));
await migrateDatabase(databaseUrl);
const sql = connect(databaseUrl);
try {
  await seedDatabase(
    sql,
    {
      projects: count(values.projects, fullSize.projects),
      tenants: count(values.tenants, fullSize.tenants),
      files: count(values.files, fullSize.files),
      seed: count(values.seed, 1),
      until: values.until === undefined ? new Date() : new Date(values.until),
      add: values.add,
    },
    (line) => console.log(line),
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await sql.end();
}
