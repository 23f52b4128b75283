import { quantile } from "../measure/statistics.js";
import { startService } from "../processes/start-service.js";
import { driveInTurns, startSide, uploads, uploadStage } from "../rows/upload-stage.js";
import type { RowTools } from "../row.js";
import { withTools } from "../with-tools.js";

const BLOCKS = 3;
const ROUNDS = 15;
const SECONDS = 0.4;

/**
 * The service's CPU for an upload in parts of the bare server's, which does the same on the same machine at the same time: so the
 * figure can be committed on one machine and held on another. Of several blocks the lowest, since whatever else a machine does only
 * ever adds.
 *
 * @returns null where the system does not tell how much CPU a process uses
 */
export function measureUploadCpu(): Promise<number | null> {
  return withTools(() => undefined, measure);
}

async function measure(tools: RowTools): Promise<number | null> {
  const stage = await uploadStage(tools);
  const service = await startService(stage.databaseUrl, tools);
  const bare = await startSide("bare-server", stage, tools);
  const load = (port: number) => uploads(stage.apiKey, port, { seconds: SECONDS });
  const sides = {
    service: { server: service, load: load(service.ready.port) },
    bare: { server: bare, load: load(bare.ready.port) },
  };
  const blocks: number[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    const runs = await driveInTurns(sides, { loader: stage.loader, tools, rounds: ROUNDS });
    const [ours, theirs] = [runs.service, runs.bare].map((side) =>
      side.flatMap(({ cpuMicros }) => cpuMicros ?? []),
    );
    if (ours!.length === 0) return null;
    blocks.push(quantile(ours!, 0.5) / quantile(theirs!, 0.5));
  }
  return Math.min(...blocks);
}
