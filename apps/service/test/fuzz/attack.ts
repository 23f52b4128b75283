import { readFile } from "node:fs/promises";
import fc from "fast-check";
import postgres from "postgres";
import { expect } from "vitest";
import { DASHBOARD_URL } from "../fixtures/a-person.js";
import { AGENT_TOKEN, aTarget, EVENTS_SECRET, LINK_PASSWORD, type Target } from "./a-target.js";
import {
  type CheckAnswer,
  checkAgentAnswer,
  checkExchange,
  checkHelperAnswer,
  checkServiceAnswer,
  checkStoreAnswer,
} from "./check-answers.js";
import { exchange } from "./exchange.js";
import type { FuzzCase } from "./fuzz-case.js";
import { type RequestParts, withMutations } from "./http-request.js";
import { agentRequests } from "./interfaces/agents.js";
import { helperRequests } from "./interfaces/helper.js";
import { authRequests, eventRequests, linkRequests, pageRequests } from "./interfaces/others.js";
import { restRequests } from "./interfaces/rest.js";
import { storeRequests } from "./interfaces/store.js";
import { trpcRequests } from "./interfaces/trpc.js";
import { CANARY } from "./odd-values.js";
import { rawBytes } from "./raw-bytes.js";

/** Growth of the service's memory between the first third of the cases and the end. What V8 keeps varies by some 15 MB. */
const MAX_GROWTH_BYTES = 48 * 1024 ** 2;

/**
 * Sends random requests and random bytes to every interface, several at the same time, and checks each answer. Afterwards the
 * service must be alive, its memory flat, its log free of secrets, and its counters exact.
 *
 * @throws {Error} that names the seed and the shortest case that still fails
 */
export async function expectNoFailure({ cases, seed }: { cases: number; seed: number }): Promise<void> {
  const target = await aTarget();
  const memory = sampleMemory(target.service.child.pid!);
  const startedAt = performance.now();
  try {
    const attacks = attacksOn(target);
    const total = attacks.reduce((sum, { share }) => sum + share, 0);
    const failures = await Promise.all(
      attacks.map(async ({ name, share, run }) => {
        const numRuns = Math.ceil((cases * share) / total);
        const result = await run({ numRuns, seed });
        return result === null ? [] : [`${name}, SEED=${seed} CASES=${cases}\n${result}`];
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const { firstBytes, lastBytes, peakBytes } = memory.stop();
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    console.log(
      `fuzz: ${cases} cases, seed ${seed}, ${seconds.toFixed(1)} s, ${Math.round(cases / seconds)} cases/s, ` +
        `memory ${mb(firstBytes)} to ${mb(lastBytes)} MB, peak ${mb(peakBytes)} MB`,
    );
    const { exitCode, signalCode } = target.service.child;
    if (exitCode !== null || signalCode !== null) {
      failures.push([
        `the service ended (${exitCode ?? signalCode}):\n${target.service.output().slice(-3000)}`,
      ]);
    }
    expect(failures.flat().join("\n\n")).toBe("");
    expect(lastBytes - firstBytes).toBeLessThan(MAX_GROWTH_BYTES);
    await expectSound(target);
  } finally {
    memory.stop();
    await target.close();
  }
}

interface Attack {
  name: string;
  /** Of the cases, relative to the other attacks. */
  share: number;
  /** Returns fast-check's report of a failure, or null. */
  run(options: { numRuns: number; seed: number }): Promise<string | null>;
}

function attacksOn(target: Target): Attack[] {
  const { apiKey, cookie, otherCookie, restKnown, trpcKnown, servicePort, helperPort, storePort } = target;
  const { agents } = target;
  const service = (name: string, share: number, requests: fc.Arbitrary<RequestParts>) =>
    attack(name, share, withMutations(requests), servicePort, checkServiceAnswer);
  const rest = restRequests(apiKey, restKnown);
  const events = eventRequests(EVENTS_SECRET, target.bucket, restKnown);
  const pages = pageRequests(cookie, trpcKnown);
  const trpc = trpcRequests(cookie, DASHBOARD_URL, trpcKnown);
  const helper = withMutations(helperRequests(restKnown));
  const store = withMutations(storeRequests(target.store));
  const raw = rawBytes(withMutations(fc.oneof(rest, trpc, events)));
  return [
    service("REST", 26, rest),
    service("tRPC", 24, trpc),
    service("sign-in", 4, authRequests(otherCookie, DASHBOARD_URL, restKnown)),
    service("storage events", 6, events),
    service("pages and exports", 6, pages),
    service("share links", 3, linkRequests(target.linkUrls, LINK_PASSWORD)),
    attack(
      "agents",
      6,
      withMutations(agentRequests(AGENT_TOKEN, restKnown)),
      agents.port,
      checkAgentAnswer(apiKey),
    ),
    attack("bytes to the service", 12, raw, servicePort, checkServiceAnswer),
    attack("helper", 6, helper, helperPort, checkHelperAnswer),
    attack("bytes to the helper", 3, rawBytes(helper), helperPort, checkHelperAnswer),
    fetchAttack(target, helperRequests(restKnown)),
    attack("dev-store", 8, store, storePort, checkStoreAnswer),
    attack("bytes to dev-store", 3, rawBytes(store), storePort, checkStoreAnswer),
  ];
}

function attack(
  name: string,
  share: number,
  cases: fc.Arbitrary<FuzzCase>,
  port: number,
  check: CheckAnswer,
): Attack {
  return {
    name,
    share,
    run: (options) =>
      runProperty(cases, options, async (fuzzCase) =>
        checkExchange(await exchange(port, fuzzCase), fuzzCase, check),
      ),
  };
}

/** Calls the helper's handler with Web requests, as frameworks on the Fetch standard do. */
function fetchAttack({ stowage }: Target, requests: fc.Arbitrary<RequestParts>): Attack {
  return {
    name: "helper by fetch",
    share: 2,
    run: (options) =>
      runProperty(requests, options, async ({ method, path, headers, body }) => {
        const response = await stowage.handler(
          new Request(`http://app.example${path}`, {
            method,
            headers: [...headers, ["Content-Type", "application/json"]],
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
        );
        const text = await response.text();
        if (response.status >= 500) throw new Error(`an error of the helper: ${response.status} ${text}`);
      }),
  };
}

async function runProperty<Case>(
  cases: fc.Arbitrary<Case>,
  options: { numRuns: number; seed: number },
  check: (fuzzCase: Case) => Promise<void>,
): Promise<string | null> {
  const result = await fc.check(fc.asyncProperty(cases, check), { ...options, includeErrorInReport: true });
  return fc.defaultReportMessage(result) ?? null;
}

async function expectSound({
  service,
  agents,
  databaseUrl,
  secrets,
  log,
  storeErrors,
  helperErrors,
}: Target): Promise<void> {
  const health = await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(60_000) });
  expect(health.status).toBe(200);
  const problems = service
    .problems()
    .filter((line) => line.startsWith('{"level":50') || line.startsWith('{"level":60'));
  expect(problems).toEqual([]);
  expect(agents.child.exitCode).toBeNull();
  expect(storeErrors).toEqual([]);
  expect(helperErrors).toEqual([]);
  expect([...secrets, CANARY].filter((secret) => log().includes(secret))).toEqual([]);
  expect(await wrongCounters(databaseUrl)).toEqual([]);
}

/** Returns the tenants whose counters differ from the sums of their files. */
async function wrongCounters(databaseUrl: string): Promise<unknown[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    return [
      ...(await sql`
      select t.project_id, t.id from tenants t left join files f on f.project_id = t.project_id and f.tenant = t.id
      group by t.project_id, t.id, t.used_bytes, t.reserved_bytes, t.file_count
      having t.used_bytes <> coalesce(sum(f.size) filter (where f.status in ('stored', 'trashed')), 0)
        or t.reserved_bytes <> coalesce(sum(f.reserved_bytes), 0)
        or t.file_count <> count(*) filter (where f.status in ('stored', 'trashed'))`),
    ];
  } finally {
    await sql.end();
  }
}

/** Samples the resident memory of a process. `stop` returns the median of the second sixth and of the last sixth of the samples. */
function sampleMemory(pid: number) {
  const samples: number[] = [];
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    if (kibibytes !== undefined) samples.push(Number(kibibytes) * 1024);
  }, 100);
  return {
    stop() {
      clearInterval(timer);
      const sixth = Math.max(1, Math.floor(samples.length / 6));
      return {
        firstBytes: median(samples.slice(sixth, 2 * sixth)),
        lastBytes: median(samples.slice(-sixth)),
        peakBytes: Math.max(0, ...samples),
      };
    },
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
