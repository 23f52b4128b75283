import type { Driven } from "../load/start-load.js";
import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import { createProjectWithEndpoint } from "../processes/create-project.js";
import { startService } from "../processes/start-service.js";
import type { Row } from "../row.js";
import { driveInTurns, startSide, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;

const WHAT = "`POST /api/storage/upload/`, durable commit, 64 connections";

/** An upload compared with the least possible work and with a straightforward implementation. */
export const uploadRow: Row = {
  name: "upload",
  async run(tools) {
    const stage = await uploadStage(tools);
    const { apiKey } = stage;
    const told = (await createProjectWithEndpoint(stage.databaseUrl)).apiKey;
    // Another replica would deliver.
    const service = await startService(stage.databaseUrl, tools, { WEBHOOKS: "off" });
    const bare = await startSide("bare-server", stage, tools);
    const plain = await startSide("plain-server", stage, tools);
    const unsigned = await startSide("plain-server", stage, tools, { SIGNED: "no" });
    const runs = await driveInTurns(
      {
        service: { server: service, load: uploads(apiKey, service.ready.port) },
        told: { server: service, load: uploads(told, service.ready.port) },
        bare: { server: bare, load: uploads(apiKey, bare.ready.port) },
        plain: { server: plain, load: uploads(apiKey, plain.ready.port, { path: "/upload" }) },
        unsigned: { server: unsigned, load: uploads(apiKey, unsigned.ready.port, { path: "/upload" }) },
      },
      { loader: stage.loader, tools, rounds: ROUNDS },
    );
    const against = (name: "bare" | "plain" | "unsigned", against: string, atLeast: number) => ({
      measured: WHAT,
      against,
      ratio: summarise(ratios(speeds(runs.service), speeds(runs[name]))),
      target: { atLeast },
      details: `${describeDriven("service", runs.service)}; ${describeDriven(name, runs[name])}`,
    });
    return [
      against("bare", "bare node:http with one statement for each request, and nothing else", 0.85),
      against("plain", "tRPC and Drizzle: a transaction of three statements, the URL by `getSignedUrl`", 8),
      against("unsigned", "the same without a URL in its answer", 8),
      {
        measured: "uploads of a project with a webhook endpoint",
        against: "of one without, by the same process",
        ratio: summarise(ratios(speeds(runs.told), speeds(runs.service))),
        target: { atLeast: 0.9 },
        details: `${describeDriven("with", runs.told)}; ${describeDriven("without", runs.service)}`,
      },
    ];
  },
};

const speeds = (runs: Driven[]) => runs.map(({ perSecond }) => perSecond);
