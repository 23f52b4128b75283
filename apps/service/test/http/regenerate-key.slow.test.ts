import { afterAll, beforeAll, expect, test } from "vitest";
import { aNewKeyFor, aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";

const REPLICAS = 3;
const WORKERS = 24;
const ROUNDS = 5;

let replicas: RunningService[];
beforeAll(async () => {
  replicas = await Promise.all(Array.from({ length: REPLICAS }, () => aService()));
});
afterAll(() => Promise.all(replicas.map((replica) => replica.close())));

interface SentRequest {
  startedAt: number;
  status: number;
}

test("after a key is replaced, three replicas under load refuse every new request with the old key", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const project = await aProject();
    const sent: SentRequest[] = [];
    const stopping = new AbortController();
    const work = async (worker: number) => {
      for (let turn = 0; !stopping.signal.aborted; turn++) {
        const startedAt = performance.now();
        const replica = replicas[(worker + turn) % REPLICAS]!;
        const answer = await fetch(`${replica.url}/api/storage/upload/`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${project.apiKey}`,
            "Content-Type": "application/json",
            // Each worker is a client of its own: the service delays the refusals of a client that gets many.
            "X-Forwarded-For": `10.0.0.${worker}`,
          },
          body: JSON.stringify({ tenant_id: `t${worker % 4}`, filename: "a.txt" }),
        });
        await answer.arrayBuffer();
        sent.push({ startedAt, status: answer.status });
      }
    };
    const workers = Array.from({ length: WORKERS }, (_, worker) => work(worker));
    await expect.poll(() => sent.length, { timeout: 30_000 }).toBeGreaterThan(200);
    await aNewKeyFor(project);
    const returnedAt = performance.now();
    await expect
      .poll(() => sent.filter(({ startedAt }) => startedAt > returnedAt).length, { timeout: 30_000 })
      .toBeGreaterThan(200);
    stopping.abort();
    await Promise.all(workers);

    const after = sent.filter(({ startedAt }) => startedAt > returnedAt);
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
    expect(sent.filter(({ status }) => status === 200).length).toBeGreaterThan(100);
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 401]));
  }
}, 300_000);
