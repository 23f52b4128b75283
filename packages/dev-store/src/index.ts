export type { BucketDemands } from "./operations/operation.js";
export type { NotifyOptions } from "./notify/notifier.js";
export type { Session } from "./sigv4/authenticate.js";
export { startDevStore, type DevStore, type DevStoreOptions } from "./dev-store.js";
