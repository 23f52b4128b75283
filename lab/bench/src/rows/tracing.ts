import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Driven } from "../load/start-load.js";
import { describeDriven } from "../measure/figure.js";
import { summarise } from "../measure/statistics.js";
import { ratios } from "../measure/take-turns.js";
import { startService } from "../processes/start-service.js";
import type { Row, RowTools } from "../row.js";
import { driveInTurns, uploads, uploadStage } from "./upload-stage.js";

const ROUNDS = 7;

/** What traces cost an upload, by the CPU of the service. */
export const tracingRow: Row = {
  name: "tracing",
  async run(tools) {
    const stage = await uploadStage(tools);
    const collector = await startCollector(tools);
    const start = (settings: Record<string, string>) => startService(stage.databaseUrl, tools, settings);
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER: "traceidratio" };
    const off = await start({});
    const all = await start({ ...tracing, OTEL_TRACES_SAMPLER_ARG: "1" });
    const tenth = await start({ ...tracing, OTEL_TRACES_SAMPLER_ARG: "0.1" });
    const side = (server: typeof off) => ({ server, load: uploads(stage.apiKey, server.ready.port) });
    const runs = await driveInTurns(
      { off: side(off), all: side(all), tenth: side(tenth) },
      { loader: stage.loader, tools, rounds: ROUNDS },
    );
    const against = (name: "all" | "tenth", share: string) => ({
      measured: `CPU of an upload, ${share} of the traces recorded`,
      against: "of one without tracing",
      ratio: summarise(ratios(cpu(runs[name]), cpu(runs.off))),
      details: `${describeDriven(share, runs[name])}; ${describeDriven("off", runs.off)}`,
    });
    return [against("all", "100 %"), against("tenth", "10 %")];
  },
};

const cpu = (runs: Driven[]) => runs.map(({ cpuMicros }) => cpuMicros ?? Number.NaN);

/** Accepts spans and drops them. @returns its address */
async function startCollector({ atEnd }: Pick<RowTools, "atEnd">): Promise<string> {
  const server = createServer((request, response) => void request.resume().on("end", () => response.end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
