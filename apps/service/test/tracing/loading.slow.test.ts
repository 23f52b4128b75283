import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, expect, inject, test } from "vitest";
import { aCollector } from "../fixtures/a-collector.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { aProject } from "../fixtures/a-project.js";
import { anUpload, putBytes, call } from "../fixtures/call.js";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

/** Constants that better-auth imports from OpenTelemetry. They are no code. */
const CONSTANTS = "@opentelemetry/semantic-conventions/";

/** The files of the bundle that have code of OpenTelemetry, by the sources that their source maps name. */
function filesWithOpenTelemetry(): string[] {
  const maps = readdirSync(DIST).filter((file) => file.endsWith(".js.map"));
  const isCode = (source: string) =>
    source.includes("/node_modules/@opentelemetry/") && !source.includes(`/node_modules/${CONSTANTS}`);
  return maps
    .filter((file) =>
      (JSON.parse(readFileSync(DIST + file, "utf8")) as { sources: string[] }).sources.some(isCode),
    )
    .map((file) => file.replace(/\.map$/, ""));
}

/** Writes the name of each file of the bundle that Node loads to stderr. */
const REPORT_LOADS = `
import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(\`
  import { writeSync } from "node:fs";
  export async function load(url, context, next) {
    if (url.includes("/dist/")) writeSync(2, "loaded " + url.split("/dist/").pop() + "\\\\n");
    return next(url, context);
  }\`));`;

async function aLoadingProcess(settings: Record<string, string>): Promise<{
  service: ServiceProcess;
  loaded(): string[];
}> {
  const service = await aProcess({
    ...inject("servers"),
    PORT: "0",
    SWEEP_INTERVAL_MS: "0",
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(REPORT_LOADS)}`,
    ...settings,
  });
  ends.push(() => service.kill());
  return {
    service,
    loaded: () => [...service.output().matchAll(/^loaded (.+)$/gm)].map(([, file]) => file!),
  };
}

test("no code of OpenTelemetry is loaded without a collector, and the service works with and without", async () => {
  const openTelemetry = filesWithOpenTelemetry();
  expect(openTelemetry.length).toBeGreaterThan(0);
  const collector = await aCollector();
  ends.push(collector.close);
  const off = await aLoadingProcess({});
  const on = await aLoadingProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const { apiKey } = await aProject();
  for (const { service } of [off, on]) {
    const upload = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a.txt", size: 1 });
    expect(await putBytes(upload, Buffer.from("a"))).toBe(200);
    const { file_path } = upload;
    const completed = await call(`${service.url}/api/storage/complete/`, {
      key: apiKey,
      body: { file_path },
    });
    expect(completed.status).toBe(200);
    // Loads the sign-in, with better-auth.
    expect((await call(`${service.url}/trpc/auth.session`)).status).toBeLessThan(500);
  }
  const isOpenTelemetry = (file: string) => openTelemetry.includes(file);
  await expect.poll(off.loaded).toContain("chunk-better-auth.js");
  expect(off.loaded().filter(isOpenTelemetry)).toEqual([]);
  await expect.poll(() => on.loaded().filter(isOpenTelemetry)).toContain("chunk-start-tracing.js");
});
