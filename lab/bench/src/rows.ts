import type { Row } from "./row.js";
import { baseRow } from "./rows/base.js";
import { bundlesRow } from "./rows/bundles.js";
import { completionsRow } from "./rows/completions.js";
import { devStoreRow } from "./rows/dev-store.js";
import { fairnessRow } from "./rows/fairness.js";
import { organiseRow } from "./rows/organise.js";
import { galleryRow } from "./rows/gallery.js";
import { growthRow } from "./rows/growth.js";
import { helperRow } from "./rows/helper.js";
import { latencyRow } from "./rows/latency.js";
import { listsRow } from "./rows/lists.js";
import { memoryRow } from "./rows/memory.js";
import { metricsRow } from "./rows/metrics.js";
import { partsRow } from "./rows/parts.js";
import { preparedRow } from "./rows/prepared.js";
import { projectsRow } from "./rows/projects.js";
import { replicasRow } from "./rows/replicas.js";
import { scanRow } from "./rows/scan.js";
import { settleRow } from "./rows/settle.js";
import { signingRow } from "./rows/signing.js";
import { startRow } from "./rows/start.js";
import { tracingRow } from "./rows/tracing.js";
import { uploadRow } from "./rows/upload.js";
import { variantsRow } from "./rows/variants.js";
import { webhookLatencyRow } from "./rows/webhook-latency.js";
import { webhooksRow } from "./rows/webhooks.js";
import { widgetRow } from "./rows/widget.js";

/** All rows, in the order of the table. */
export const rows: Row[] = [
  baseRow,
  uploadRow,
  growthRow,
  replicasRow,
  latencyRow,
  fairnessRow,
  projectsRow,
  preparedRow,
  metricsRow,
  signingRow,
  helperRow,
  startRow,
  memoryRow,
  settleRow,
  webhookLatencyRow,
  completionsRow,
  webhooksRow,
  tracingRow,
  listsRow,
  organiseRow,
  widgetRow,
  partsRow,
  variantsRow,
  scanRow,
  galleryRow,
  devStoreRow,
  bundlesRow,
];
