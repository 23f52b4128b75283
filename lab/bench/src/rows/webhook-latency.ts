import { uploadObjects } from "../load/upload-objects.js";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { createProject, createProjectWithEndpoint } from "../processes/create-project.js";
import { migrateDatabase } from "../processes/migrate-database.js";
import { startDatabase } from "../processes/start-database.js";
import { startDevStore, storeSettings } from "../processes/start-dev-store.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";

const ROUNDS = 15;
const WARM_UPS = 3;
const FILES = 200;

/**
 * What a person waits for: the request, the PUT and the completion call of one file after another, of a project with a webhook endpoint and
 * of one without. The `settle` row compares their rates when the service has more work than it can do.
 */
export const webhookLatencyRow: Row = {
  name: "webhook-latency",
  async run(tools) {
    const databaseUrl = await startDatabase(tools);
    await migrateDatabase(databaseUrl);
    const plain = await createProject(databaseUrl);
    const told = (await createProjectWithEndpoint(databaseUrl)).apiKey;
    const store = await startDevStore(tools, "others");
    const settings = { ...storeSettings(store), WEBHOOKS: "off" };
    const { port } = (await startService(databaseUrl, tools, settings)).ready;
    const side = (name: string, key: string) => async () => {
      const startedAt = performance.now();
      await uploadObjects(port, key, FILES, { completes: true, atOnce: 1 });
      const ms = (performance.now() - startedAt) / FILES;
      tools.say(`${name} ${ms.toFixed(2)} ms a file`);
      return ms;
    };
    const measured = await takeTurns(
      { told: side("with an endpoint", told), plain: side("without", plain) },
      { rounds: ROUNDS, warmUps: WARM_UPS },
    );
    const middle = (values: number[]) => summarise(values).median.toFixed(2);
    return [
      {
        measured:
          "time of a file of a project with a webhook endpoint: request, PUT and completion, one file after another",
        against: "of one without, by the same process",
        ratio: summarise(ratios(measured.told, measured.plain)),
        target: { atMost: 1.1 },
        details: `${middle(measured.told)} and ${middle(measured.plain)} ms`,
      },
    ];
  },
};
