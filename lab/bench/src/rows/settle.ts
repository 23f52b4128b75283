import { EVENTS_SECRET, NOTIFICATIONS_AT_ONCE, RECORDS, timeSettling } from "../load/settle-objects.js";
import { uploadObjects } from "../load/upload-objects.js";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { createProject, createProjectWithEndpoint } from "../processes/create-project.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import type { Role } from "../processes/pinning.js";
import { startChild } from "../processes/start-child.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, storeSettings } from "../processes/start-dev-store.js";
import { startService } from "../processes/start-service.js";
import type { Figure, Row, RowTools } from "../row.js";
import type { HeadsWanted } from "../sides/heads.js";
import { withTools } from "../with-tools.js";

const ROUNDS = 9;
/** Warm-up until the settling code is compiled; a thousand files are not enough. */
const WARM_UPS = 4;
const FILES = 2000;
/** The service's concurrency within one notification. */
const AT_ONCE = 32;
const TIMEOUT_MS = 120_000;

/** The core of storage: the service's core, or the database's. */
const PLACES: Record<string, Role> = { "the service's core": "server", "the database's core": "others" };

/**
 * Uploads settled from storage events, each with a HEAD and a durable commit, compared with HEADs alone in their own process on the
 * service's core. On two cores the place of storage matters: settling keeps three processes busy, HEADs only two. So both are measured.
 */
export const settleRow: Row = {
  name: "settle",
  async run(tools) {
    const figures: Figure[] = [];
    for (const [place, role] of Object.entries(PLACES)) {
      // Stopped before the next one starts, because idle processes use CPU too.
      figures.push(...(await withTools(tools.say, (own) => settleBeside(place, role, own))));
    }
    return figures;
  },
};

async function settleBeside(place: string, role: Role, tools: RowTools): Promise<Figure[]> {
  const databaseUrl = await startDatabase(tools);
  await migrateDatabase(databaseUrl);
  const apiKey = await createProject(databaseUrl);
  const told = (await createProjectWithEndpoint(databaseUrl)).apiKey;
  const store = await startDevStore(tools, role);
  const settings = { ...storeSettings(store), STORAGE_EVENTS_SECRET: EVENTS_SECRET, WEBHOOKS: "off" };
  const { port } = (await startService(databaseUrl, tools, settings)).ready;
  const heads = await startChild(import.meta.resolve("#sides/heads.js"), { role: "server" });
  tools.atEnd(() => heads.stop());
  let keys = await uploadObjects(port, apiKey, FILES);
  const said = (what: string, seconds: number) => {
    tools.say(`storage on ${place}, ${what} ${(FILES / seconds).toFixed(0)}/s`);
    return FILES / seconds;
  };
  const settle = (what: string, key: string) => async () => {
    keys = await uploadObjects(port, key, FILES);
    return said(what, await timeSettling(port, store, keys));
  };
  const measured = await takeTurns(
    {
      settle: settle("settled", apiKey),
      told: settle("settled with an endpoint", told),
      heads: async () => {
        const wanted: HeadsWanted = { store, keys, atOnce: AT_ONCE };
        return said("HEADs", (await heads.ask<{ seconds: number }>(wanted, TIMEOUT_MS)).seconds);
      },
    },
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  const perSecond = (values: number[]) => summarise(values).median.toFixed(0);
  const alone: Figure = {
    measured: `uploads settled from storage events, ${RECORDS} a notification, ${NOTIFICATIONS_AT_ONCE} notifications at once; storage on ${place}`,
    against: `HEADs alone, ${AT_ONCE} at once, by the same client, which is the service's own`,
    ratio: summarise(ratios(measured.settle, measured.heads)),
    target: { atLeast: 0.8 },
    details: `${perSecond(measured.settle)} and ${perSecond(measured.heads)} a second`,
  };
  const withEndpoint: Figure = {
    measured: `the same of a project with a webhook endpoint; storage on ${place}`,
    against: "of one without, by the same process",
    ratio: summarise(ratios(measured.told, measured.settle)),
    target: { atLeast: 0.9 },
    details: `${perSecond(measured.told)} and ${perSecond(measured.settle)} a second`,
  };
  return [alone, withEndpoint];
}
