/** Texts of charts and tables of usage and downloads. */
export const usage = {
  period: "Period",
  lastDays: (days: number) => `${days} days`,
  asChart: "Chart",
  asTable: "Table",
  uploads: "Uploads",
  uploaded: "Uploaded size",
  downloadsSigned: "Signed downloads",
  bytesSigned: "Signed size",
  bytesDelivered: "Delivered size",
  perDay: (title: string, days: number) => `${title} per day, last ${days} days`,
  noDownloads: (days: number) =>
    `No downloads were signed in the last ${days} days, and no access log of these days was imported.`,
  noAccessLogs: "No access log of these days was imported. Import one with:",
  unknown: "Unknown",
} as const;
