/** Where browsers find the dashboard. */
export interface DashboardAddress {
  /** Its origin, as links name it. */
  url(): string;
  /** Whose pages may change something; `url` is the first. */
  origins(): string[];
}

/**
 * The address that DASHBOARD_URL gives, and no other; without one, this machine under each of its own names, at the port that
 * the service listens at. No page of another machine has one of those names for its origin.
 *
 * @param port asked anew each time: with PORT=0 nobody knows it before the service listens
 */
export function dashboardAddress(setting: string | undefined, port: () => number): DashboardAddress {
  const origins = () =>
    setting === undefined
      ? // As browsers write an origin: without the port where it is http's own.
        ["localhost", "127.0.0.1", "[::1]"].map((name) => new URL(`http://${name}:${port()}`).origin)
      : [setting];
  return { origins, url: () => origins()[0]! };
}
