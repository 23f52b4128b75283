import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { startPostgres } from "@stowage/dev-postgres";
import { type Child, startChild } from "./child.js";
import { openDataDir, rememberedJson } from "./data-dir.js";
import { type Demo, ensureDemoProject } from "./demo-project.js";
import { choosePort } from "./ports.js";
import { LocalError, type LocalSettings } from "./settings.js";

export interface Local {
  serviceUrl: string;
  exampleUrl: string;
  /** Undefined where S3_* name a storage of one's own. */
  storeUrl: string | undefined;
  databaseUrl: string;
  /** The service's S3_* settings. */
  storage: Record<string, string>;
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
 * Starts everything on this machine: PostgreSQL and object storage where none are given, the service, its demo project and
 * the example. Either all of it runs, or what was started is ended again.
 *
 * @throws {LocalError} with one sentence for the person who started it
 */
export async function startLocal(settings: LocalSettings): Promise<Local> {
  const { ports } = settings;
  const servicePort = await choosePort(ports.service, "service");
  if (!settings.storage) await choosePort(ports.store, "object storage");
  await choosePort(ports.example, "example");

  const dataDir = await openDataDir(settings.dataDir);
  const ends: (() => Promise<void>)[] = [dataDir.release];
  const endings: Promise<string>[] = [];
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  const watch = (name: string, part: { ended: Promise<void>; stop(): Promise<void> }) => {
    ends.push(() => part.stop());
    endings.push(part.ended.then(() => name));
  };
  const start = async (name: string, program: string, env: Record<string, string>): Promise<Child> => {
    const child = await startChild(name, program, env, dataDir.logDir);
    watch(name, child);
    return child;
  };

  try {
    let { databaseUrl } = settings;
    if (!databaseUrl) {
      const postgres = await startPostgres({ dir: join(dataDir.path, "postgres") });
      watch("PostgreSQL", postgres);
      databaseUrl = postgres.url;
    }
    let { storage } = settings;
    let events: Record<string, string> = {};
    if (!storage) {
      const keys = await rememberedJson(join(dataDir.path, "dev-store.json"), () => ({
        access_key_id: `dev${randomBytes(8).toString("hex")}`,
        secret_access_key: randomBytes(30).toString("base64url"),
      }));
      const { secret } = await rememberedJson(join(dataDir.path, "storage-events.json"), () => ({
        secret: randomBytes(30).toString("base64url"),
      }));
      events = { STORAGE_EVENTS_SECRET: settings.passedOn["STORAGE_EVENTS_SECRET"] ?? secret };
      const store = await start("dev-store", programs.store, {
        DEV_STORE_DIR: join(dataDir.path, "store"),
        DEV_STORE_PORT: String(ports.store),
        DEV_STORE_ACCESS_KEY_ID: keys.access_key_id,
        DEV_STORE_SECRET_ACCESS_KEY: keys.secret_access_key,
        DEV_STORE_BUCKETS: "stowage",
        DEV_STORE_NOTIFY_URL: `http://127.0.0.1:${servicePort}/internal/storage-events`,
        DEV_STORE_NOTIFY_SECRET: events["STORAGE_EVENTS_SECRET"]!,
      });
      storage = {
        S3_ENDPOINT: String(store.ready["endpoint"]),
        S3_BUCKET: "stowage",
        S3_ACCESS_KEY_ID: keys.access_key_id,
        S3_SECRET_ACCESS_KEY: keys.secret_access_key,
      };
    }
    const service = await start("service", programs.service, {
      ...settings.passedOn,
      ...storage,
      ...events,
      DATABASE_URL: databaseUrl,
      PORT: String(servicePort),
    });
    const serviceUrl = `http://localhost:${String(service.ready["port"])}`;
    const demoFile = join(dataDir.path, "demo.json");
    const demo = await ensureDemoProject({
      file: demoFile,
      baseUrl: serviceUrl,
      cli: programs.cli,
      databaseUrl,
    });
    const example = await start("example", programs.example, {
      PORT: String(ports.example),
      STOWAGE_DEMO_FILE: demoFile,
    });
    return {
      serviceUrl,
      exampleUrl: String(example.ready["url"]),
      storeUrl: settings.storage ? undefined : storage["S3_ENDPOINT"],
      databaseUrl,
      storage,
      demo,
      dataDir: dataDir.path,
      demoFile,
      failed: Promise.race(endings),
      stop,
    };
  } catch (error) {
    await stop();
    throw error instanceof LocalError ? error : new LocalError((error as Error).message);
  }
}
