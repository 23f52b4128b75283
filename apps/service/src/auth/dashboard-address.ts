/** The address under which browsers reach the dashboard. */
export interface DashboardAddress {
  /** What links to the dashboard begin with: an origin, and the path if there is one, without a slash at its end. */
  url(): string;
  /** The origins whose pages may change something. The first one is that of `url()`. */
  origins(): string[];
  /** The path of `url()`, such as `/stowage`. Empty: the dashboard has its own host. */
  basePath: string;
}

/**
 * Returns the address of DASHBOARD_URL. Without that setting it is this machine under each of its own names, at the service's
 * port. Pages of other machines never have such an origin.
 *
 * @param port called for each use, because with PORT=0 the port is known only after the service listens
 */
export function dashboardAddress(setting: string | undefined, port: () => number): DashboardAddress {
  const basePath = setting === undefined ? "" : new URL(setting).pathname.replace(/\/$/, "");
  const origins = () => (setting === undefined ? localOrigins(port()) : [new URL(setting).origin]);
  return { origins, url: () => origins()[0]! + basePath, basePath };
}

/** `URL.origin` leaves out port 80, as browsers do. */
function localOrigins(port: number): string[] {
  return ["localhost", "127.0.0.1", "[::1]"].map((name) => new URL(`http://${name}:${port}`).origin);
}
