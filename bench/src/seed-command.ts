import { parseArgs } from "node:util";
import { connect } from "./processes/connect.js";
import { migrateDatabase } from "./processes/migrate-database.js";
import { seedDatabase } from "./seed/seed-database.js";
import { fullSize } from "./seed/size.js";

const USAGE = `DATABASE_URL=postgres://… npx pnpm --filter @stowage/bench seed [options]

  --projects <n>   ${fullSize.projects} unless said otherwise; the first has half of everything
  --tenants <n>    ${fullSize.tenants}
  --files <n>      ${fullSize.files}
  --seed <n>       1; the same number makes the same database
  --until <date>   when the newest file came; now, unless said otherwise
  --add            into a database that has projects already
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

const count = (text: string | undefined, otherwise: number) =>
  text === undefined ? otherwise : Number(text);
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
