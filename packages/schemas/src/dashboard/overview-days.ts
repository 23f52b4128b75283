/** For how many days, today the last of them, usage is shown. Without zod: the page that shows it is loaded with the first. */
export const overviewDays = [7, 30, 90] as const;

export type OverviewDays = (typeof overviewDays)[number];
