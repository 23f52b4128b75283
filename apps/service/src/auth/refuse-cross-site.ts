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

/**
 * The same for what is only read, but at a cost: browsers send no Origin there. What they do send says whose page asks; a
 * browser too old to say it sends other sites' requests without our cookie at least where no link was followed.
 *
 * @param fetchSite the request's Sec-Fetch-Site header: https://www.w3.org/TR/fetch-metadata/
 * @throws {StowageError} `cross_site`
 */
export function refuseCrossSiteRead(fetchSite: string | undefined): void {
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none")
    throw new StowageError("cross_site");
}
