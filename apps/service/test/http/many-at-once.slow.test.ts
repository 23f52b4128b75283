import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createStowage } from "@stowage/server";
import { toNodeHandler } from "@stowage/server/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";

/** A busy machine needs longer than the default. All queues have their default lengths. */
const PATIENT_MS = 60_000;
const TENANT = "ada";

let service: RunningService;
const helper = createServer();
const errors: Error[] = [];
beforeAll(async () => {
  service = await aService({ DATABASE_TIMEOUT_MS: String(PATIENT_MS) });
  const stowage = createStowage({
    apiKey: (await aProject()).apiKey,
    baseUrl: service.url,
    tenant: () => TENANT,
    allowList: true,
    allowDownload: true,
    allowUsage: true,
    timeoutMs: PATIENT_MS,
    onError: (error) => errors.push(error),
  });
  helper.on("request", toNodeHandler(stowage)).listen(0, "127.0.0.1");
  await once(helper, "listening");
});
afterAll(async () => {
  helper.closeAllConnections();
  helper.close();
  await service.close();
});

async function call(action: string, body?: object): Promise<{ status: number; body: unknown }> {
  const { port } = helper.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/api/stowage/${action}`, {
    ...(body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  return { status: response.status, body: await response.json() };
}

async function upload(): Promise<string> {
  const { body } = await call("request", { filename: "a.txt", size: 1 });
  const { presigned_url, headers, file_path } = body as {
    presigned_url: string;
    headers: Record<string, string>;
    file_path: string;
  };
  const put = await fetch(presigned_url, { method: "PUT", headers, body: "a" });
  expect(put.status).toBe(200);
  return file_path;
}

/** Makes 200 calls at once. @returns how often each status was answered */
async function burst(action: string, body?: object): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: 200 }, () => call(action, body)));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test("200 calls of one project at once through the helper are all answered, also as the first ones", async () => {
  // The service has answered no request yet: it does not know the key, and has no connection in the lanes of the calls.
  expect(await burst("request", { filename: "b.txt", size: 1 })).toEqual({ 200: 200 });
  expect(await burst("list")).toEqual({ 200: 200 });
  expect(await burst("usage")).toEqual({ 200: 200 });
  expect(await burst("download", { file_path: await upload() })).toEqual({ 200: 200 });
  expect(errors).toEqual([]);
}, 180_000);
