import { images, scans, webhooks } from "./background.js";
import { database, migration } from "./database.js";
import { egress } from "./egress.js";
import { dashboard, signIn } from "./operators.js";
import { address, limits, uploads } from "./requests.js";
import type { Setting, SettingGroup } from "./setting.js";
import { publicFiles, storage, storageEvents } from "./storage.js";
import { log, metrics, traces } from "./telemetry.js";

export type { Setting };

/** All settings of the service. Each is an environment variable; an empty variable counts as not set. */
export const settings = {
  ...address,
  ...egress,
  ...database,
  ...migration,
  ...storage,
  ...publicFiles,
  ...storageEvents,
  ...uploads,
  ...limits,
  ...webhooks,
  ...images,
  ...scans,
  ...dashboard,
  ...signIn,
  ...log,
  ...metrics,
  ...traces,
} satisfies SettingGroup;

/** The groups in the order of docs/settings.md, by their headings. */
export const settingGroups: Readonly<Record<string, SettingGroup>> = {
  Database: { ...database, ...migration },
  Storage: storage,
  "Public files and CDN": publicFiles,
  "Storage events": storageEvents,
  "Address and shutdown": address,
  "Way out": egress,
  "Quotas and uploads": uploads,
  Limits: limits,
  Webhooks: webhooks,
  "Image variants": images,
  "Virus scans": scans,
  Dashboard: dashboard,
  "Sign-in": signIn,
  Log: log,
  Metrics: metrics,
  Traces: traces,
};

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(settings);
