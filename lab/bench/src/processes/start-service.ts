import { pathToFileURL } from "node:url";
import type { Role } from "./pinning.js";
import type { RowTools } from "../row.js";
import { type Child, startChild } from "./start-child.js";
import { type ServiceBuild, thisBuild } from "./service-build.js";
import { serviceSettings } from "./service-settings.js";

/** A listening server: the service, or a side that it is compared with. */
export interface Listening {
  port: number;
}

/** Starts a built service with its log, as in production. It ends with the row. @param role its cores. @default server */
export async function startService(
  databaseUrl: string,
  { atEnd }: Pick<RowTools, "atEnd">,
  settings: Record<string, string> = {},
  role: Role = "server",
  { main }: ServiceBuild = thisBuild,
): Promise<Child<Listening>> {
  const service = await startChild<Listening>(pathToFileURL(main).href, {
    role,
    env: { ...serviceSettings(databaseUrl), ...settings },
  });
  atEnd(() => service.stop());
  return service;
}
