import type { Row } from "./row.js";
import { uploadRow } from "./rows/upload.js";

/** All that is measured: a table of contents. */
export const rows: Row[] = [uploadRow];
