import { StowageError } from "@stowage/schemas";
import type { DashboardAddress } from "./dashboard-address.js";

/**
 * Refuses a request that may change something unless it comes from a page of the dashboard (CSRF protection). Browsers send an
 * Origin header with each such request. A request without one is refused too, so other programs must send it.
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
 * Refuses a GET that another site's page makes. It changes nothing but is expensive to answer. Browsers send no Origin with a GET,
 * so this checks Sec-Fetch-Site. A browser too old to send that header is let through; its cross-site requests carry our cookie
 * (SameSite=Lax) only when the user follows a link.
 *
 * @param fetchSite the request's Sec-Fetch-Site header: https://www.w3.org/TR/fetch-metadata/
 * @throws {StowageError} `cross_site`
 */
export function refuseCrossSiteRead(fetchSite: string | undefined): void {
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") {
    throw new StowageError("cross_site");
  }
}
