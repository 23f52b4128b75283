/** Texts of charts and tables of usage. */
export const usage = {
  period: "Period",
  lastDays: (days: number) => `${days} days`,
  asChart: "Chart",
  asTable: "Table",
  uploads: "Uploads",
  uploaded: "Uploaded size",
} as const;
