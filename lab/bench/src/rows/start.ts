import { summarise } from "../measure/statistics.js";
import { takeTurns } from "../measure/take-turns.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { serviceSettings } from "../processes/service-settings.js";
import { startDatabase } from "../processes/start-database.js";
import { timeStart } from "../processes/time-start.js";
import type { Row } from "../row.js";

const ROUNDS = 11;

/** From the start of the process to the first answer. The database is running and migrated. */
export const startRow: Row = {
  name: "start",
  async run(tools) {
    const databaseUrl = await startDatabase(tools);
    await migrateDatabase(databaseUrl);
    const measured = await takeTurns(
      {
        service: () =>
          timeStart(import.meta.resolve("@stowage/service/main"), {
            path: "/healthz",
            env: serviceSettings(databaseUrl),
          }),
        bare: () => timeStart(import.meta.resolve("../sides/hello-server.js"), { path: "/" }),
      },
      { rounds: ROUNDS },
    );
    measured.service.forEach((service, round) =>
      tools.say(`service ${service.toFixed(0)} ms, bare ${measured.bare[round]!.toFixed(0)} ms`),
    );
    return [
      {
        measured: "the service's start to its first answer, in ms more",
        against: "the start of bare node:http",
        ratio: summarise(measured.service.map((service, round) => service - measured.bare[round]!)),
        target: { atMost: 400 },
        details: `${summarise(measured.service).median.toFixed(0)} and ${summarise(measured.bare).median.toFixed(0)} ms`,
      },
    ];
  },
};
