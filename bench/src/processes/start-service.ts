import type { RowTools } from "../row.js";
import { type Child, startChild } from "./start-child.js";
import { serviceSettings } from "./service-settings.js";

/** What listens for requests: our service, or what it is measured against. */
export interface Listening {
  port: number;
}

/** The built service on the server's core, as it is run for real, its log included; ended with the row. */
export async function startService(
  databaseUrl: string,
  { atEnd }: Pick<RowTools, "atEnd">,
  settings: Record<string, string> = {},
): Promise<Child<Listening>> {
  const service = await startChild<Listening>(import.meta.resolve("@stowage/service/main"), {
    role: "server",
    env: { ...serviceSettings(databaseUrl), ...settings },
  });
  atEnd(() => service.stop());
  return service;
}
