import type { BrowserRoutesResponse } from "@stowage/schemas";
import type { CoreDeps } from "./core.js";

/** What each route takes, so that the widget shows the limits that bind here. */
export function describeRoutes({ routes }: Pick<CoreDeps, "routes">): BrowserRoutesResponse {
  const described = [...(routes ?? [])].map(([name, { rules }]) => [
    name,
    {
      accept: rules.accept,
      max_size: rules.maxSize,
      min_size: rules.minSize,
      max_files: rules.maxFiles,
    },
  ]);
  return { routes: Object.fromEntries(described) as BrowserRoutesResponse["routes"] };
}
