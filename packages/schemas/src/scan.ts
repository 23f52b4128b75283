/** What a virus scan found out about the bytes of a file. */
export const scanVerdicts = ["clean", "infected", "unscannable"] as const;
export type ScanVerdict = (typeof scanVerdicts)[number];

/**
 * - `none`: the project did not scan when the file was stored. While it scans, such a file waits for its scan as `pending` does
 * - `pending`: the file waits for its scan
 * - `clean`, `infected`: the scanner's verdict
 * - `unscannable`: the scanner cannot look into the file, because it is too large or encrypted
 */
export const scanStatuses = ["none", "pending", ...scanVerdicts] as const;
export type ScanStatus = (typeof scanStatuses)[number];
