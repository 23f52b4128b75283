import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { uploadText } from "@stowage/e2e/fixtures/a-run.js";
import { startLocalRegistry } from "@stowage/local-registry";
import { expect, test } from "vitest";
import { aCustomer, type Customer } from "@stowage/created-apps/test/fixtures/a-customer.js";
import { expectUploadListDownloadDelete } from "@stowage/created-apps/test/fixtures/use-app.js";
import { BETTER_UPLOAD, copyPeer, UPLOADTHING } from "./peers.js";
import { createTimes, type Lap } from "./times.js";

const { ROUNDS = "3", TEMPLATES = "next", UPLOADTHING_REPOSITORY, BETTER_UPLOAD_REPOSITORY } = process.env;

/** What a row of the table does. It calls `lap` at the end of each step. */
type Row = (customer: Customer, lap: Lap) => Promise<void>;

const rows = new Map<string, Row>([
  ["npx stowage", startAndUpload],
  ...TEMPLATES.split(",").map((name): [string, Row] => [
    `npm create stowage, ${name}`,
    (customer, lap) => createAndUpload(customer, lap, name),
  ]),
  ...(UPLOADTHING_REPOSITORY === undefined ? [] : [peerRow(UPLOADTHING, UPLOADTHING_REPOSITORY)]),
  ...(BETTER_UPLOAD_REPOSITORY === undefined ? [] : [peerRow(BETTER_UPLOAD, BETTER_UPLOAD_REPOSITORY)]),
]);

test("the first file, from an empty folder with an empty cache", async () => {
  const rounds = Number(ROUNDS);
  expect(rounds).toBeGreaterThan(0);
  await using registry = await startLocalRegistry();
  const times = createTimes();
  const loadBefore = loadavg()[0]!;
  // Round 0 fills the registry on this machine, so that later rounds do not measure the network. All rows are in each round, so that
  // they see the same load.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of rows) {
      await using customer = await aCustomer(registry);
      await run(customer, times.start(name, { counts: round > 0 }));
    }
  }
  console.log(
    `Medians of ${rounds} rounds, ${availableParallelism()} cores, load ${loadBefore.toFixed(1)} to ${loadavg()[0]!.toFixed(1)}\n${times.render()}`,
  );
  expect(times.rows()).toEqual([...rows.keys()]);
});

async function startAndUpload(customer: Customer, lap: Lap): Promise<void> {
  await customer.startByNpx();
  lap("everything runs");
  await uploadText(join(customer.code, ".stowage"), "the first file");
  lap("the first file is stored");
}

async function createAndUpload(customer: Customer, lap: Lap, template: string): Promise<void> {
  const create = ["create", "stowage@latest", "my-app", "--", "--template", template, "--yes"];
  await customer.run(["npm", ...create]);
  lap("installed");
  await customer.startByNpx("my-app");
  lap("npx stowage runs");
  const dev = (port: number) => ["npm", "run", "dev", "--", "--port", String(port)];
  await using server = await customer.start(dev, "my-app");
  lap("npm run dev answers");
  await expectUploadListDownloadDelete(server, {
    onStored: () => lap("the first file is stored and listed in the browser"),
  });
}

/** As far as a peer's own example goes without an account in its cloud. */
function peerRow(peer: typeof UPLOADTHING, repository: string): [string, Row] {
  return [
    peer.name,
    async (customer, lap) => {
      await copyPeer(peer, repository, join(customer.code, "example"));
      await customer.run(["npm", "install"], "example");
      lap("installed");
      const dev = (port: number) => ["npm", "run", "dev", "--", "--port", String(port)];
      await using _server = await customer.start(dev, "example");
      lap("npm run dev answers");
    },
  ];
}
