import type { RowTools } from "../row.js";
import type { Role } from "./pinning.js";
import { type Child, startChild } from "./start-child.js";
import { serviceSettings } from "./service-settings.js";

/** What listens for requests: our service, or what it is measured against. */
export interface Listening {
  port: number;
}

interface StartOptions {
  settings?: Record<string, string>;
  role?: Role;
}

/** The built service as it is run for real, its log included, on the server's core unless told otherwise; ended with the row. */
export async function startService(
  databaseUrl: string,
  { atEnd }: Pick<RowTools, "atEnd">,
  { settings = {}, role = "server" }: StartOptions = {},
): Promise<Child<Listening>> {
  const service = await startChild<Listening>(import.meta.resolve("@stowage/service/main"), {
    role,
    env: { ...serviceSettings(databaseUrl), ...settings },
  });
  atEnd(() => service.stop());
  return service;
}
