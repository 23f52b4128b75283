import { uploadObjects } from "../load/upload-objects.js";
import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import { startDevStore, storeSettings } from "../processes/start-dev-store.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;

/**
 * The cost of the completion call: a HEAD, and reading the file. All calls complete one file that is already stored, so every call does the
 * same work.
 */
export const completionsRow: Row = {
  name: "completions",
  async run(tools) {
    const stage = await uploadStage(tools);
    const store = await startDevStore(tools, "others");
    const server = await startService(stage.databaseUrl, tools, storeSettings(store));
    const { port } = server.ready;
    const [filePath] = await uploadObjects(port, stage.apiKey, 1);
    const upload = uploads(stage.apiKey, port);
    const completion = {
      ...upload,
      path: "/api/storage/complete/",
      body: JSON.stringify({ file_path: filePath }),
    };
    const runs = await driveInTurns(
      { completion: { server, load: completion }, upload: { server, load: upload } },
      { loader: stage.loader, tools, rounds: ROUNDS },
    );
    const micros = (name: keyof typeof runs) => runs[name].map(({ cpuMicros }) => cpuMicros ?? NaN);
    return [
      {
        measured: "the service's CPU for `POST /api/storage/complete/` of a stored file, 64 connections",
        against: "its CPU for an upload",
        ratio: summarise(ratios(micros("completion"), micros("upload"))),
        target: { atMost: 5 },
        details: `${describeDriven("completions", runs.completion)}; ${describeDriven("uploads", runs.upload)}`,
      },
    ];
  },
};
