import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { connect } from "../processes/connect.js";
import { cpuSecondsOf } from "../processes/cpu-time.js";
import { createProjectWithEndpoint } from "../processes/create-project.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import { type Listening, startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import type { PostsWanted } from "../sides/posts.js";

const ROUNDS = 7;
const WARM_UPS = 2;
const EVENTS = 4000;
const ENDPOINTS = 4;
/** Of one endpoint in the service. */
const AT_ONCE = 4;
const TIMEOUT_MS = 120_000;

/** Deliveries to four endpoints: claimed, signed, sent and recorded, compared with the same requests and nothing else. */
export const webhooksRow: Row = {
  name: "webhooks",
  async run(tools) {
    const databaseUrl = await startDatabase(tools);
    await migrateDatabase(databaseUrl);
    const receiver = await startChild<Listening>(import.meta.resolve("#sides/webhook-receiver.js"), {
      role: "others",
    });
    tools.atEnd(() => receiver.stop());
    const url = `http://127.0.0.1:${receiver.ready.port}/`;
    const refs: string[] = [];
    for (let number = 0; number < ENDPOINTS; number++)
      refs.push((await createProjectWithEndpoint(databaseUrl, url)).ref);
    const service = await startService(databaseUrl, tools, { WEBHOOK_ALLOW_PRIVATE: "true" });
    const posts = await startChild(import.meta.resolve("#sides/posts.js"), { role: "server" });
    tools.atEnd(() => posts.stop());
    const sql = connect(databaseUrl);
    tools.atEnd(() => sql.end());

    const side = (name: string, pid: number, work: () => Promise<unknown>) => async () => {
      const [cpu, startedAt] = [await cpuSecondsOf(pid), performance.now()];
      await work();
      const seconds = (performance.now() - startedAt) / 1000;
      const after = await cpuSecondsOf(pid);
      const coreSeconds = cpu === null || after === null ? seconds : after - cpu;
      tools.say(
        `${name} ${(EVENTS / seconds).toFixed(0)}/s, ${(EVENTS / coreSeconds).toFixed(0)} per second of CPU`,
      );
      return EVENTS / coreSeconds;
    };
    const wanted: PostsWanted = { url, count: EVENTS, atOnce: AT_ONCE * ENDPOINTS, body: "x".repeat(500) };
    const measured = await takeTurns(
      {
        deliveries: side("deliveries", service.pid, () => deliver(sql, refs)),
        posts: side("bare POSTs", posts.pid, () => posts.ask(wanted, TIMEOUT_MS)),
      },
      { rounds: ROUNDS, warmUps: WARM_UPS },
    );
    const perSecond = (values: number[]) => summarise(values).median.toFixed(0);
    return [
      {
        measured: "webhooks delivered to four endpoints, for the same of the server's CPU",
        against: "bare node:http requests with as large a body, each over its own connection",
        ratio: summarise(ratios(measured.deliveries, measured.posts)),
        details: `${perSecond(measured.deliveries)} and ${perSecond(measured.posts)} per second and core`,
      },
    ];
  },
};

/** Writes events of tenants and waits until all are delivered. */
async function deliver(sql: Sql, refs: string[]): Promise<void> {
  await sql`
    select write_outbox(p.id, 'tenant.created', now(), (
      select json_agg(json_build_object(
        'id', n, 'tenant_id', 'user-' || n, 'created_at', now(), 'used_bytes', 0, 'reserved_bytes', 0, 'file_count', 0))
      from generate_series(1, ${EVENTS / ENDPOINTS}::int) n),
      (select json_object_agg(n, json_build_object('project_quota', null)) from generate_series(1, ${EVENTS / ENDPOINTS}::int) n))
    from projects p where p.ref = any(${refs})`;
  const until = performance.now() + TIMEOUT_MS;
  for (;;) {
    const [isWaiting] = [
      ...(await sql`select from webhook_outbox limit 1`),
      ...(await sql`select from webhook_deliveries where next_attempt_at is not null limit 1`),
    ];
    if (!isWaiting) return;
    if (performance.now() > until) throw new Error("some webhooks were not delivered");
    await sleep(20);
  }
}
