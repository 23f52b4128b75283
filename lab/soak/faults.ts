import { setTimeout as sleep } from "node:timers/promises";
import type { OutageProxy } from "@stowage/service/test/fixtures/an-outage-proxy.js";
import { aClockError, type SoakedSystem } from "./a-soaked-system.js";
import type { Random } from "./random.js";

export interface Fault {
  name: string;
  /** Begins and ends the fault. */
  run(system: SoakedSystem, random: Random, durationMs: number): Promise<void>;
}

const SLOW_DATABASE_MS = 40;
const SLOW_STORAGE_MS = 250;

/** Interrupts all replicas and workers, as an outage of the server does. */
const onAll =
  (which: "database" | "storage", begin: (proxy: OutageProxy) => Promise<void> | void): Fault["run"] =>
  async ({ replicas, workers }, _random, durationMs) => {
    const proxies = [...replicas.running(), ...workers.running()].map((process) => process[which]);
    await Promise.all(proxies.map(begin));
    await sleep(durationMs);
    await bringBack(proxies);
  };

/** Interrupts one replica, as a broken network does. */
const onOne =
  (which: "database" | "storage", begin: (proxy: OutageProxy) => Promise<void> | void): Fault["run"] =>
  async ({ replicas }, random, durationMs) => {
    const proxy = random.pick(replicas.running())[which];
    await begin(proxy);
    await sleep(durationMs);
    await bringBack([proxy]);
  };

const bringBack = (proxies: OutageProxy[]) => Promise.all(proxies.map((proxy) => proxy.bringBack()));

const mortals = ({ replicas, steady }: SoakedSystem) =>
  replicas.running().filter((replica) => replica !== steady && replica.name !== "added");

/** Every fault of a soak. */
const faults: Fault[] = [
  {
    name: "PostgreSQL restarts",
    run: async ({ database }) => {
      await database.stop();
      await database.start();
    },
  },
  {
    name: "PostgreSQL is killed and recovers",
    run: async ({ database }, _random, durationMs) => {
      await database.kill();
      await sleep(durationMs / 3);
      await database.start();
    },
  },
  { name: "database stops answering", run: onAll("database", (proxy) => proxy.freeze()) },
  { name: "database is slow", run: onAll("database", (proxy) => proxy.slowDown(SLOW_DATABASE_MS)) },
  { name: "one replica loses the database", run: onOne("database", (proxy) => proxy.takeDown()) },
  { name: "storage is down", run: onAll("storage", (proxy) => proxy.takeDown()) },
  { name: "storage stops answering", run: onAll("storage", (proxy) => proxy.freeze()) },
  { name: "storage is slow", run: onAll("storage", (proxy) => proxy.slowDown(SLOW_STORAGE_MS)) },
  { name: "one replica loses storage", run: onOne("storage", (proxy) => proxy.freeze()) },
  {
    name: "a replica is killed and comes back with another clock",
    run: async (system, random) => {
      const victim = random.pick(mortals(system));
      await system.replicas.kill(victim);
      await system.replicas.add(victim.name, aClockError(random));
    },
  },
  {
    name: "all replicas but one are killed at once",
    run: async (system, random) => {
      const victims = mortals(system);
      await Promise.all(victims.map((victim) => system.replicas.kill(victim)));
      await Promise.all(victims.map(({ name }) => system.replicas.add(name, aClockError(random))));
    },
  },
  {
    name: "a replica is added and drained again",
    run: async ({ replicas }, random, durationMs) => {
      const added = await replicas.add("added", aClockError(random));
      await sleep(durationMs);
      await replicas.drain(added);
    },
  },
  {
    name: "a worker is killed and comes back with another clock",
    run: ({ workers }, random) => workers.restart(aClockError(random)),
  },
  {
    name: "clamd is down",
    run: async ({ workers }, _random, durationMs) => {
      await workers.scanner.takeDown();
      await sleep(durationMs);
      await workers.scanner.bringBack();
    },
  },
  {
    name: "receiver answers 500",
    run: async ({ receiver }, _random, durationMs) => {
      receiver.refuse(true);
      await sleep(durationMs);
      receiver.refuse(false);
    },
  },
  {
    name: "receiver is down",
    run: async ({ receiver }, _random, durationMs) => {
      await receiver.proxy.takeDown();
      await sleep(durationMs);
      await receiver.proxy.bringBack();
    },
  },
];

export interface Chaos {
  /** Whether there is a fault now, or was one shortly before. */
  isFaulty(): boolean;
  /** How often each fault was injected. */
  injected: Map<string, number>;
  /** Faults that did not end as they should. */
  failed: string[];
  /** Runs until this time, in milliseconds since 1970, and then ends the last fault. */
  runUntil(until: number): Promise<void>;
}

/** Until connections are back and jobs that failed have waited. */
const RECOVERY_MS = 8000;
/** Two faults at the same time. */
const PAIR_SHARE = 0.25;

/**
 * Injects each fault in turn, in an order that the seed chooses, with calm times between them.
 *
 * @param pace.calmMs how long each calm time is, after the recovery
 * @param whenCalm runs at the end of each calm time
 */
export function createChaos(
  system: SoakedSystem,
  random: Random,
  { calmMs, faultMs, recoveryMs = RECOVERY_MS }: { calmMs: number; faultMs: number; recoveryMs?: number },
  whenCalm: () => Promise<void>,
  onProgress: (line: string) => void,
): Chaos {
  const injected = new Map<string, number>();
  const failed: string[] = [];
  let active = 0;
  let endedAt = -Infinity;
  let queue: Fault[] = [];

  function next(except?: Fault): Fault {
    if (queue.length === 0) queue = random.shuffle(faults);
    const fault = queue.shift()!;
    if (fault !== except) return fault;
    const other = next();
    queue.push(fault);
    return other;
  }
  async function inject(fault: Fault): Promise<void> {
    injected.set(fault.name, (injected.get(fault.name) ?? 0) + 1);
    active++;
    onProgress(fault.name);
    try {
      await fault.run(system, random, faultMs * (0.5 + random.next()));
    } catch (error) {
      // For example a replica that did not end well. The soak continues, and its report says so.
      failed.push(`${fault.name}: ${String(error)}`);
    } finally {
      active--;
      endedAt = Date.now();
    }
  }
  return {
    injected,
    failed,
    isFaulty: () => active > 0 || Date.now() - endedAt < recoveryMs,
    async runUntil(until) {
      while (Date.now() < until) {
        await sleep(recoveryMs + calmMs);
        await whenCalm();
        const first = next();
        // Two changes of the same server would disturb each other's end.
        const second = random.next() < PAIR_SHARE ? next(first) : undefined;
        const isPair = second && topicOf(first) !== topicOf(second);
        if (second && !isPair) queue.push(second);
        await Promise.all([inject(first), ...(isPair ? [inject(second)] : [])]);
      }
      await sleep(recoveryMs);
    },
  };
}

const topicOf = ({ name }: Fault): string =>
  ["database", "PostgreSQL", "storage", "receiver"]
    .find((topic) => name.includes(topic))
    ?.replace("PostgreSQL", "database") ?? "replicas";
