import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { makeFile, makeFolder } from "../processes/make-file.js";
import { startDevStore, type Store } from "../processes/start-dev-store.js";
import { createStoreClient } from "../processes/store-client.js";
import { timeCommand } from "../processes/time-command.js";
import type { Figure, Row, RowTools } from "../row.js";

const MEBIBYTES = 1024;
const ROUNDS = 7;
const TIMEOUT_MS = 120_000;
/** The pause between two sides: a gateway answers a delete before it has finished it. */
const REST_MS = 3000;
/** The variables that `pnpm lab ceph` sets. */
const OTHER_STORE = ["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];

/**
 * One PUT of 1 GiB by curl. Every side may use the whole machine, because gateways have many threads or processes. The bytes come from
 * the page cache, and a side is done when they are on the disk. `cat` has no network, no signature and no MD5.
 */
export const devStoreRow: Row = {
  name: "dev-store",
  async run(tools) {
    const folder = await makeFolder(tools);
    const source = join(folder, "source");
    await makeFile(source, MEBIBYTES);
    const other = otherStore(process.env);
    if (other === null)
      tools.say(`No other gateway is measured. To measure Ceph, set ${OTHER_STORE.join(", ")}.`);
    const sides = {
      cat: () => catWithFsync(source, join(folder, "copy")),
      devStore: putTo(await startDevStore(tools, "anywhere"), source),
      ...(other === null ? {} : { other: await putToNewBucket(other, source) }),
    };
    const measured: Record<string, number[]> = await takeTurns(
      Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, timed(tools, name, side)])),
      { rounds: ROUNDS },
    );
    const figure = (against: string, name: string): Figure => ({
      measured: "dev-store: PUT of 1 GiB",
      against,
      // Throughput relative to the other: its seconds divided by ours.
      ratio: summarise(ratios(measured[name]!, measured["devStore"]!)),
      details: `${summarise(measured["devStore"]!).median.toFixed(2)} s and ${summarise(measured[name]!).median.toFixed(2)} s`,
    });
    return [
      figure("`cat` to a file with fsync", "cat"),
      ...(other === null ? [] : [figure("Ceph's gateway", "other")]),
    ];
  },
};

function timed({ say }: RowTools, name: string, side: () => Promise<number>): () => Promise<number> {
  return async () => {
    await timeCommand(["sync"], { role: "anywhere", timeoutMs: TIMEOUT_MS });
    await wait(REST_MS);
    const seconds = await side();
    say(`${name} ${seconds.toFixed(2)} s`);
    return seconds;
  };
}

async function catWithFsync(source: string, copy: string): Promise<number> {
  const seconds = await timeCommand(["sh", "-c", 'cat "$0" > "$1" && sync "$1"', source, copy], {
    role: "anywhere",
    timeoutMs: TIMEOUT_MS,
  });
  await rm(copy);
  return seconds;
}

function putTo(store: Store, source: string): () => Promise<number> {
  const client = createStoreClient(store);
  return async () => {
    const seconds = await timeCommand(
      [
        "curl",
        "--silent",
        "--show-error",
        "--fail",
        "--noproxy",
        "*",
        "-T",
        source,
        await client.urlToPut("object"),
      ],
      { role: "anywhere", timeoutMs: TIMEOUT_MS },
    );
    await client.remove("object");
    return seconds;
  };
}

async function putToNewBucket(store: Store, source: string): Promise<() => Promise<number>> {
  await createStoreClient(store).createBucket();
  return putTo(store, source);
}

function otherStore(env: NodeJS.ProcessEnv): Store | null {
  const [endpoint, accessKeyId, secretAccessKey] = OTHER_STORE.map((name) => env[name]);
  if (!endpoint || !accessKeyId || !secretAccessKey) return null;
  const region = env["S3_REGION"] ?? "us-east-1";
  return { endpoint, accessKeyId, secretAccessKey, region, bucket: "stowage-bench" };
}
