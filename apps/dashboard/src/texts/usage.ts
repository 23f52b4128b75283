/** What came and went by day, wherever it is shown. */
export const usage = {
  period: "Period",
  lastDays: (days: number) => `${days} days`,
  asChart: "Chart",
  asTable: "Table",
  uploads: "Uploads",
  uploaded: "Uploaded",
} as const;
