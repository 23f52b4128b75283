import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@redis/client";
import type { SharedCount, SharedCounters } from "./shared-counters.js";

export interface RedisCountersOptions {
  /** `redis://` or `rediss://`, with a password. Never log it. */
  url: string;
  /** Is called once when Redis stops to answer, or does not answer at the start. */
  onDown(error: unknown): void;
  /** Is called once when Redis answers, at the start and after an outage. */
  onUp(): void;
}

/** A request waits this long for a count. After that, Redis is down until it has answered a new connection. */
const TIMEOUT_MS = 200;
const CONNECT_TIMEOUT_MS = 1000;
const RECONNECT_DELAY_MS = 1000;

/** One statement, so that a count without an end cannot remain if the service or Redis stops in between. */
const ADD = `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`;
const ADD_SHA1 = createHash("sha1").update(ADD).digest("hex");

type Client = ReturnType<typeof connectLater>;

/** Counts in Redis. Connects in the background, and connects again after each failure until `close`. */
export function createRedisCounters(options: RedisCountersOptions): SharedCounters {
  const closing = new AbortController();
  /** Null while Redis is down: then no request waits for it. */
  let connection: { client: Client; fail(error: unknown): void } | null = null;
  let isDown = false;

  /** Counts in Redis until it fails. @returns the failure */
  async function countUntilFailure(): Promise<unknown> {
    const client = connectLater(options.url);
    let fail!: (error: unknown) => void;
    const failure = new Promise<unknown>((resolve) => (fail = resolve));
    client.on("error", fail);
    closing.signal.addEventListener("abort", fail);
    try {
      await inTime(client.connect(), CONNECT_TIMEOUT_MS);
      // A server that is frozen or refuses the commands accepts connections too.
      await add(client, "probe", CONNECT_TIMEOUT_MS, 1);
      connection = { client, fail };
      isDown = false;
      options.onUp();
      return await failure;
    } catch (error) {
      return error;
    } finally {
      connection = null;
      closing.signal.removeEventListener("abort", fail);
      client.destroy();
    }
  }

  async function stayConnected(): Promise<void> {
    while (!closing.signal.aborted) {
      const failure = await countUntilFailure();
      if (closing.signal.aborted) return;
      if (!isDown) options.onDown(failure);
      isDown = true;
      await sleep(RECONNECT_DELAY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  void stayConnected();
  return {
    async add(name, windowMs, amount = 1) {
      const current = connection;
      if (current === null) return null;
      try {
        return await add(current.client, name, windowMs, amount);
      } catch (error) {
        if (connection === current) connection = null;
        current.fail(error);
        return null;
      }
    },
    close: () => closing.abort(),
  };
}

function connectLater(url: string) {
  return createClient({
    url,
    // Redis 5 knows this version, and newer ones still do.
    RESP: 2,
    maintNotifications: "disabled",
    disableClientInfo: true,
    disableOfflineQueue: true,
    // `stayConnected` connects again, with a new client: an old one could still wait for the answers of a frozen server.
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
  });
}

async function add(client: Client, name: string, windowMs: number, amount: number): Promise<SharedCount> {
  const run = (command: string, script: string) =>
    client.sendCommand<[number, number]>([
      command,
      script,
      "1",
      `stowage:${name}`,
      `${windowMs}`,
      `${amount}`,
    ]);
  const isUnknownScript = (error: unknown) => error instanceof Error && error.message.startsWith("NOSCRIPT");
  const reply = run("EVALSHA", ADD_SHA1).catch((error: unknown) => {
    if (isUnknownScript(error)) return run("EVAL", ADD);
    throw error;
  });
  const [count, remainingMs] = await inTime(reply, TIMEOUT_MS);
  return { count, remainingMs };
}

function inTime<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    // If this process was busy for long, the answer may have arrived: the event loop reads it before it calls setImmediate's function.
    const giveUp = () => setImmediate(() => reject(new Error(`Redis did not answer within ${timeoutMs} ms`)));
    const timer = setTimeout(giveUp, timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
