import { formatBytes, formatCount } from "../format.js";
import type { DayColumn } from "./days-table.js";
import { usage as texts } from "./usage-texts.js";

/** The downloads of a day. A signed one may be used many times or never. */
export interface DownloadDay {
  day: string;
  downloadsSigned: number;
  bytesSigned: number;
  /** Null if no access log of the day was imported. */
  bytesDelivered: number | null;
}

/** The columns that a table of days has for downloads. */
export const downloadColumns: DayColumn<DownloadDay>[] = [
  { title: texts.downloadsSigned, of: "downloadsSigned", format: formatCount },
  { title: texts.bytesSigned, of: "bytesSigned", format: formatBytes },
  { title: texts.bytesDelivered, of: "bytesDelivered", format: formatBytes },
];

export const hasDownloads = (days: DownloadDay[]): boolean =>
  days.some(({ downloadsSigned }) => downloadsSigned > 0) || hasAccessLogs(days);

export const hasAccessLogs = (days: DownloadDay[]): boolean =>
  days.some(({ bytesDelivered }) => bytesDelivered !== null);
