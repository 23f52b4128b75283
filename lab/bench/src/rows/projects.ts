import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import { createProjects } from "../processes/api-keys.js";
import { startService } from "../processes/start-service.js";
import type { Driven } from "../load/start-load.js";
import type { Row } from "../row.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;
const PROJECTS = 100;

/** Uploads of a hundred projects at once, compared with as many connections of one project. */
export const projectsRow: Row = {
  name: "projects",
  async run(tools) {
    const stage = await uploadStage(tools);
    const keys = await createProjects(stage.databaseUrl, PROJECTS);
    const service = await startService(stage.databaseUrl, tools);
    const load = (used: string[]) =>
      // A thousand tenants on either side: one project has all of them, or each of a hundred projects has ten.
      uploads("{key}", service.ready.port, { keys: used, connections: PROJECTS });
    const runs = await driveInTurns(
      {
        one: { server: service, load: load(keys.slice(0, 1)) },
        all: { server: service, load: load(keys) },
      },
      { loader: stage.loader, tools, rounds: ROUNDS },
    );
    const speeds = (driven: Driven[]) => driven.map(({ perSecond }) => perSecond);
    return [
      {
        measured: `uploads of ${PROJECTS} projects at once`,
        against: `of one project over as many connections`,
        ratio: summarise(ratios(speeds(runs.all), speeds(runs.one))),
        target: { atLeast: 0.8 },
        details: `${describeDriven("all", runs.all)}; ${describeDriven("one", runs.one)}`,
      },
    ];
  },
};
