import { StowageError } from "@stowage/schemas";
import type { DashboardAddress } from "./dashboard-address.js";

/**
 * Lets nothing change at the wish of another site's page. Browsers send an Origin with every request that may change
 * something, so one without is refused too: whoever is no browser says where it stands.
 *
 * @param origin the request's Origin header
 * @throws {StowageError} `cross_site`
 */
export function refuseCrossSite(
  dashboard: Pick<DashboardAddress, "origins">,
  origin: string | undefined,
): void {
  if (origin === undefined || !dashboard.origins().includes(origin)) throw new StowageError("cross_site");
}
