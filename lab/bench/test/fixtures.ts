import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@stowage/dev-postgres";

/** Starts a PostgreSQL for the test. */
export async function aPostgres(): Promise<{ url: string; end(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-bench-test-"));
  const postgres = await startPostgres({ dir, durable: false });
  return {
    url: postgres.url,
    async end() {
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
