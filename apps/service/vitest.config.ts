import { availableParallelism } from "node:os";
import { withBase } from "../../vitest.base.js";
import { loadWithFaults } from "./test/simulation/plant.js";

const globalSetup = "test/fixtures/global-setup.ts";

export default withBase(
  { plugins: [loadWithFaults()] },
  {
    test: {
      globalSetup,
      // Half of these tests wait for a timeout, a poll or a process, so twice as many files as cores run at the same time.
      maxWorkers: 2 * availableParallelism(),
      sequence: { groupOrder: 1 },
      // No test here mocks a module, so the files of one worker share the service's modules. Importing them takes a second.
      isolate: false,
      // Node cannot load the sources that these two offer under our condition "source". The MCP client of the tests needs them.
      server: { deps: { inline: ["@modelcontextprotocol/client", "eventsource", "eventsource-parser"] } },
    },
  },
  {
    // One file after another: some of these tests read the log of the PostgreSQL that they share.
    debian: { test: { globalSetup, fileParallelism: false } },
  },
);
