import * as z from "zod";

/** For how many days, today the last of them, usage is shown. */
export const overviewDays = [7, 30, 90] as const;

export type OverviewDays = (typeof overviewDays)[number];

export const overviewDaysInput = z.object({
  days: z.literal(overviewDays, { error: `days must be one of ${overviewDays.join(", ")}` }).default(30),
});

/** `lastEventId` is the subscription's own: what a lost connection has seen already. */
export const watchUploadsInput = z.object({ lastEventId: z.string().max(100).nullish() });
