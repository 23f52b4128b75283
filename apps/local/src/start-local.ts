import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { startPostgres } from "@stowage/dev-postgres";
import { createSubfolder, openDataDir } from "./data-dir.js";
import { type DemoProject, ensureDemoProject } from "./demo-project.js";
import { ensureLocalOperator, type LocalOperator } from "./local-operator.js";
import { writePrivateJson } from "./private-json.js";
import { LocalError, type LocalSettings } from "./settings.js";
import { startStorage } from "./start-storage.js";
import { createSupervisor, type Supervisor } from "./supervisor.js";

export interface Local {
  serviceUrl: string;
  /** Undefined without an example app. */
  exampleUrl: string | undefined;
  /** Undefined if the settings name another storage. */
  storeUrl: string | undefined;
  databaseUrl: string;
  /** The service's settings of storage. */
  storage: Record<string, string>;
  /** The address that browsers use. */
  dashboardUrl: string;
  /** Undefined if the service's operators were created in another way. */
  operator: LocalOperator | undefined;
  operatorFile: string;
  demo: DemoProject;
  dataDir: string;
  demoFile: string;
  /** Resolves with the name of the first process that ends without a call to `stop`. */
  failed: Promise<string>;
  /** Stops all processes in reverse order of their start. */
  stop(): Promise<void>;
}

/**
 * Starts all of Stowage on this machine: PostgreSQL and object storage (unless the settings name others), the service with
 * its first operator and demo project, and the example app if there is one. If one of them fails to start, the others are stopped again.
 *
 * @param signal cancels the start
 * @throws {LocalError} with a message for the person who started it
 * @throws the signal's reason if the signal aborts
 */
export async function startLocal(settings: LocalSettings, signal?: AbortSignal): Promise<Local> {
  const { ports, programs } = settings;
  const servicePort = await reservePort(ports.service, "service");
  if (!settings.storage) await reservePort(ports.store, "object storage");
  if (programs.example) await reservePort(ports.example, "example");

  const dataDir = await openDataDir(settings.dataDir);
  const supervisor = createSupervisor(dataDir.logDir, dataDir.release, signal);
  try {
    const running = await startAll({ settings, dataDir: dataDir.path, servicePort, signal }, supervisor);
    return { ...running, failed: supervisor.firstExit(), stop: () => supervisor.stop() };
  } catch (error) {
    await supervisor.stop();
    if (error instanceof LocalError || signal?.aborted) throw error;
    throw new LocalError((error as Error).message);
  }
}

/**
 * Checks that a port is free. For port 0 it chooses a free one, because storage must know the service's port before the
 * service runs.
 *
 * @throws {LocalError} if the port is in use
 */
async function reservePort(port: number, purpose: string): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(port, "127.0.0.1");
    await once(probe, "listening");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new LocalError(
      code === "EACCES"
        ? `This user may not use port ${port} for the ${purpose}. Set PORT to a number above 1023.`
        : `Port ${port} for the ${purpose} is already in use. Stop the program that uses it, or set PORT to another number.`,
    );
  }
  const { port: chosen } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return chosen;
}

interface StartOptions {
  settings: LocalSettings;
  dataDir: string;
  servicePort: number;
  signal: AbortSignal | undefined;
}

/** Each process is started after those that it depends on. */
async function startAll(
  { settings, dataDir, servicePort, signal }: StartOptions,
  supervisor: Supervisor,
): Promise<Omit<Local, "failed" | "stop">> {
  const { programs } = settings;
  const databaseUrl = settings.databaseUrl ?? (await startDatabase(dataDir, supervisor, signal));
  const storage = await startStorage({ settings, dataDir, program: programs.store, servicePort }, supervisor);
  const serviceSettings = {
    // The receiver of a developer's webhooks is on this machine.
    WEBHOOK_ALLOW_PRIVATE: "true",
    ...settings.serviceSettings,
    ...storage.settings,
    ...storage.eventSettings,
    DATABASE_URL: databaseUrl,
    PORT: String(servicePort),
  };
  // Before the service says that it is ready: commands that wait for it find the file.
  const settingsFile = join(dataDir, "service.json");
  await writePrivateJson(settingsFile, serviceSettings);
  supervisor.onStop(() => rm(settingsFile, { force: true }));
  const service = await supervisor.start("service", programs.service, serviceSettings);
  await supervisor.start("worker", programs.cli, serviceSettings, ["worker"]);
  const serviceUrl = `http://localhost:${String(service.ready["port"])}`;
  const operatorFile = join(dataDir, "operator.json");
  const operator = await ensureLocalOperator({
    file: operatorFile,
    setupUrl: service.ready["setupUrl"] as string | null,
    serviceUrl,
    cli: programs.cli,
    databaseUrl,
    randomBytes,
  });
  const demoFile = join(dataDir, "demo.json");
  const demo = await ensureDemoProject({
    file: demoFile,
    baseUrl: serviceUrl,
    cli: programs.cli,
    databaseUrl,
    storage: storage.settings,
  });
  const exampleUrl = await startExample(settings, demoFile, supervisor);
  return {
    serviceUrl,
    dashboardUrl: settings.serviceSettings["DASHBOARD_URL"] ?? serviceUrl,
    operator,
    operatorFile,
    exampleUrl,
    storeUrl: storage.url,
    databaseUrl,
    storage: storage.settings,
    demo,
    dataDir,
    demoFile,
  };
}

/** @returns the URL of a PostgreSQL server on the data folder, including its password */
async function startDatabase(
  dataDir: string,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): Promise<string> {
  const dir = await createSubfolder(dataDir, "postgres");
  const postgres = await startPostgres({ dir, ...(signal ? { signal } : {}) });
  supervisor.add("PostgreSQL", postgres);
  return postgres.url;
}

/** @returns its URL; undefined if this installation has no example app */
async function startExample(
  { programs, exampleSettings, ports }: LocalSettings,
  demoFile: string,
  supervisor: Supervisor,
): Promise<string | undefined> {
  if (programs.example === undefined) return undefined;
  const example = await supervisor.start("example", programs.example, {
    ...exampleSettings,
    PORT: String(ports.example),
    STOWAGE_DEMO_FILE: demoFile,
  });
  return String(example.ready["url"]);
}
