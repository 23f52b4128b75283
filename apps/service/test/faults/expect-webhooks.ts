import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { aReceiver, type Receiver, withStatus } from "../fixtures/a-receiver.js";
import { verified } from "../fixtures/an-endpoint.js";
import type { ServiceOnProxies } from "./a-service-on-proxies.js";
import type { Acknowledged } from "./load.js";

const FAILS_EVERY = 7;

/** A receiver that fails now and then. */
export async function aFlakyReceiver(): Promise<Receiver> {
  const receiver = await aReceiver();
  let requests = 0;
  receiver.answer = (response, received) =>
    withStatus(++requests % FAILS_EVERY === 0 ? 500 : 204)(response, received);
  return receiver;
}

const MAX_WAIT_MS = 60_000;
const PAUSE_MS = 1500;

/**
 * Waits until nothing is pending, and checks that every acknowledged change has arrived, in the order of its file, that nothing has
 * arrived that did not happen, and that every signature is right. The load must have stopped.
 */
export async function expectWebhooks(
  service: Pick<ServiceOnProxies, "makeDeliveriesDue">,
  receiver: Receiver,
  secret: string,
  { completed, deleted, deleteTried, requested }: Acknowledged,
): Promise<void> {
  const until = Date.now() + MAX_WAIT_MS;
  while ((await service.makeDeliveriesDue()) > 0) {
    expect(Date.now()).toBeLessThan(until);
    await sleep(PAUSE_MS);
  }
  const sizes = new Map<string, number>();
  const gone = new Set<string>();
  const wrong: string[] = [];
  for (const received of receiver.received) {
    const { type, data } = verified(received, secret);
    const path = String(data["file_path"]);
    if (type === "file.stored") {
      sizes.set(path, Number(data["size"]));
      if (!requested.has(path)) wrong.push(`stored, never requested: ${path}`);
    } else {
      gone.add(path);
      if (!sizes.has(path)) wrong.push(`deleted before it was stored: ${path}`);
      if (!deleteTried.has(path)) wrong.push(`deleted without a request: ${path}`);
    }
  }
  for (const [path, size] of completed)
    if (sizes.get(path) !== size) wrong.push(`stored with ${size} bytes, told ${sizes.get(path)}: ${path}`);
  for (const path of deleted)
    if (completed.has(path) && !gone.has(path)) wrong.push(`deleted, not told: ${path}`);
  expect(wrong).toEqual([]);
}
