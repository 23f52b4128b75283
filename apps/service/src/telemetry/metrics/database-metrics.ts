import type { Registry } from "prom-client";
import type { Database } from "#db/client.js";
import { findDatabaseProblem } from "#health/find-database-problem.js";
import { cacheReading } from "./cached-reading.js";
import { addCounter, addGauge } from "./families.js";

/** This process's connections to PostgreSQL, by lane, and whether the database accepts changes. */
export function addDatabaseMetrics(registry: Registry, { db }: { db: Database }): void {
  const pool = ["db_client_connection_pool_name"] as const;
  addGauge(registry, {
    name: "db_client_connection_count",
    help: "Connections to the database that run a statement now. A pool is a lane.",
    labelNames: [...pool, "db_client_connection_state"] as const,
    collect() {
      for (const { lane, running } of db.load()) {
        this.set({ db_client_connection_pool_name: lane, db_client_connection_state: "used" }, running);
      }
    },
  });
  addGauge(registry, {
    name: "db_client_connection_max",
    help: "How many connections a lane may open.",
    labelNames: pool,
    collect() {
      for (const { lane, connections } of db.load()) {
        this.set({ db_client_connection_pool_name: lane }, connections);
      }
    },
  });
  addGauge(registry, {
    name: "db_client_connection_pending_requests",
    help: "Calls that wait in the queue of a lane.",
    labelNames: pool,
    collect() {
      for (const { lane, waiting } of db.load()) this.set({ db_client_connection_pool_name: lane }, waiting);
    },
  });
  addCounter(registry, {
    name: "stowage_database_refused_statements_total",
    help: "Statements without an answer. owner_bound: too many of one owner; queue_full; deadline: waited or ran too long; unavailable: the database did not answer.",
    labelNames: [...pool, "reason"] as const,
    collect() {
      this.reset();
      for (const { lane, counts } of db.refused()) {
        for (const [reason, count] of Object.entries(counts)) {
          this.inc({ db_client_connection_pool_name: lane, reason }, count);
        }
      }
    },
  });
  const findProblem = cacheReading(
    async () => (await findDatabaseProblem(db.lane("health", "metrics"))) === null,
  );
  addGauge(registry, {
    name: "stowage_database_up",
    help: "1 if the database accepts changes of this process, 0 if not. Checked at most every 5 seconds.",
    async collect() {
      this.set((await findProblem()) === true ? 1 : 0);
    },
  });
}
