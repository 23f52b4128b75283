import { type OverviewDays, overviewDays } from "@stowage/schemas/dashboard";

export const DEFAULT_DAYS: OverviewDays = 30;

/** What of the overview lives in its address. */
export interface OverviewSearch {
  days?: OverviewDays;
}

/** Whatever else an address says is left out. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const days = overviewDays.find((offered) => offered === search["days"]);
  return days === undefined ? {} : { days };
}
