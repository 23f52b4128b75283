import { quantile } from "../measure/statistics.js";
import { startService } from "../processes/start-service.js";
import { driveInTurns, startSide, uploads, uploadStage } from "../rows/upload-stage.js";
import type { RowTools } from "../row.js";
import { withTools } from "../with-tools.js";

const BLOCKS = 3;
const ROUNDS = 15;
const SECONDS = 0.4;

/**
 * The service's CPU per upload divided by the bare server's, which runs on the same machine at the same time. So one machine's figure can be
 * checked on another. It takes the lowest of several blocks, because other load only adds CPU time.
 *
 * @param enough ends the measurement after the first block that is at most this. By default it measures every block.
 * @returns null if the system does not report the CPU of a process
 */
export function measureUploadCpu({ enough = 0 } = {}): Promise<number | null> {
  return withTools(
    () => undefined,
    (tools) => measure(tools, enough),
  );
}

async function measure(tools: RowTools, enough: number): Promise<number | null> {
  const stage = await uploadStage(tools);
  const service = await startService(stage.databaseUrl, tools);
  const bare = await startSide("bare-server", stage, tools);
  const load = (port: number) => uploads(stage.apiKey, port, { seconds: SECONDS });
  const sides = {
    service: { server: service, load: load(service.ready.port) },
    bare: { server: bare, load: load(bare.ready.port) },
  };
  const blocks: number[] = [];
  for (let block = 0; block < BLOCKS && !(Math.min(...blocks) <= enough); block++) {
    const runs = await driveInTurns(sides, { loader: stage.loader, tools, rounds: ROUNDS });
    const [ours, theirs] = [runs.service, runs.bare].map((side) =>
      side.flatMap(({ cpuMicros }) => cpuMicros ?? []),
    );
    if (ours!.length === 0) return null;
    blocks.push(quantile(ours!, 0.5) / quantile(theirs!, 0.5));
  }
  return Math.min(...blocks);
}
