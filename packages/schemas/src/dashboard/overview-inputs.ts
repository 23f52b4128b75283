import * as z from "zod";
import { overviewDays } from "./overview-days.js";

export const overviewDaysInput = z.object({
  days: z.literal(overviewDays, { error: `days must be one of ${overviewDays.join(", ")}` }).default(30),
});

/** `lastEventId` is the subscription's own: what a lost connection has seen already. */
export const watchUploadsInput = z.object({ lastEventId: z.string().max(100).nullish() });
