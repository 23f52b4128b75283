import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openDataDir } from "./data-dir.js";
import { type Demo, ensureDemoProject } from "./demo-project.js";
import { ensureLocalOperator, type LocalOperator } from "./local-operator.js";
import { makeParts, type Parts } from "./parts.js";
import { choosePort } from "./ports.js";
import { LocalError, type LocalSettings } from "./settings.js";
import { startDatabase } from "./start-database.js";
import { startStorage } from "./start-storage.js";

export interface Local {
  serviceUrl: string;
  exampleUrl: string;
  /** Undefined where S3_* name a storage of one's own. */
  storeUrl: string | undefined;
  databaseUrl: string;
  /** The service's S3_* settings. */
  storage: Record<string, string>;
  /** As browsers find it. */
  dashboardUrl: string;
  /** Undefined where those who can sign in were made elsewhere. */
  operator: LocalOperator | undefined;
  operatorFile: string;
  demo: Demo;
  dataDir: string;
  demoFile: string;
  /** Resolves with the name of the first part that ends without having been told to. */
  failed: Promise<string>;
  /** Ends every process, in the order in which they need each other. */
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);
const programs = {
  store: require.resolve("@stowage/dev-store/main"),
  service: require.resolve("@stowage/service/main"),
  cli: require.resolve("@stowage/service/cli"),
  example: require.resolve("@stowage/example/main"),
};

/**
 * Starts everything on this machine: PostgreSQL and object storage where none are given, the service, its first
 * operator, its demo project and the example. Either all of it runs, or what was started is ended again.
 *
 * @param signal gives the start up
 * @throws {LocalError} with one sentence for the person who started it; the signal's reason
 */
export async function startLocal(settings: LocalSettings, signal?: AbortSignal): Promise<Local> {
  const { ports } = settings;
  const servicePort = await choosePort(ports.service, "service");
  if (!settings.storage) await choosePort(ports.store, "object storage");
  await choosePort(ports.example, "example");

  const dataDir = await openDataDir(settings.dataDir);
  const parts = makeParts(dataDir.logDir, dataDir.release, signal);
  try {
    const running = await startParts({ settings, dataDir: dataDir.path, servicePort, signal }, parts);
    return { ...running, failed: parts.firstEnd(), stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    if (error instanceof LocalError || signal?.aborted) throw error;
    throw new LocalError((error as Error).message);
  }
}

interface Start {
  settings: LocalSettings;
  dataDir: string;
  servicePort: number;
  signal: AbortSignal | undefined;
}

/** In the order in which they need each other. */
async function startParts(
  { settings, dataDir, servicePort, signal }: Start,
  parts: Parts,
): Promise<Omit<Local, "failed" | "stop">> {
  const databaseUrl = settings.databaseUrl ?? (await startDatabase(dataDir, parts, signal));
  const storage = await startStorage({ settings, dataDir, program: programs.store, servicePort }, parts);
  const service = await parts.start("service", programs.service, {
    ...settings.passedOn,
    ...storage.settings,
    ...storage.events,
    DATABASE_URL: databaseUrl,
    PORT: String(servicePort),
  });
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
  });
  const example = await parts.start("example", programs.example, {
    PORT: String(settings.ports.example),
    STOWAGE_DEMO_FILE: demoFile,
  });
  return {
    serviceUrl,
    dashboardUrl: settings.passedOn["DASHBOARD_URL"] ?? serviceUrl,
    operator,
    operatorFile,
    exampleUrl: String(example.ready["url"]),
    storeUrl: storage.url,
    databaseUrl,
    storage: storage.settings,
    demo,
    dataDir,
    demoFile,
  };
}
