import type { RowTools } from "../row.js";
import { type Child, startChild } from "./start-child.js";
import { serviceSettings } from "./service-settings.js";

/** A listening server: the service, or a side that it is compared with. */
export interface Listening {
  port: number;
}

/** Starts the built service on the server's core, with its log, as in production. It ends with the row. */
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
