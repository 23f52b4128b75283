// `pnpm lab sizing [FILES]`: seeds a temporary PostgreSQL and prints how many bytes a file takes in each table
// with its indexes. docs/sizing.md has the figures.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";

const root = join(import.meta.dirname, "..");
const files = Number(process.argv[2] ?? 100_000);
const env = { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}` };
const run = (command, args, more = {}) => {
  const options = { cwd: root, env: { ...env, ...more }, stdio: "inherit", timeout: 3_600_000 };
  const { status } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
};
run("turbo", ["run", "build", "--filter=@stowage/bench", "--output-logs=errors-only"]);

// Built only now.
const { startPostgres } = await import("@stowage/dev-postgres");
const dir = mkdtempSync(join(tmpdir(), "stowage-sizing-"));
const server = await startPostgres({ dir, durable: false });
try {
  const seed = ["--projects", "100", "--tenants", String(files / 20), "--files", String(files)];
  run(process.execPath, [join(root, "lab", "bench", "dist", "seed-command.js"), ...seed], {
    DATABASE_URL: server.url,
  });
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  await sql`vacuum full`;
  const tables = await sql`
    select relname as name, pg_table_size(oid)::float8 as rows, pg_indexes_size(oid)::float8 as indexes
    from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
    order by pg_total_relation_size(oid) desc limit 8`;
  for (const { name, rows, indexes } of tables)
    console.log(
      `${name.padEnd(24)} ${Math.round(rows / files)} + ${Math.round(indexes / files)} bytes a file`,
    );
  const [{ total }] = await sql`select pg_database_size(current_database())::float8 as total`;
  console.log(`the whole database: ${Math.round(total / files)} bytes a file, ${files} files`);
  await sql.end();
} finally {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
