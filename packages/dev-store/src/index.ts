export type { BucketDemands } from "./operations/operation.js";
export type { NotifyOptions } from "./notify/notifier.js";
export { startDevStore, type DevStore, type DevStoreOptions } from "./dev-store.js";
