export { startDevStore, type DevStore, type DevStoreOptions } from "./dev-store.js";
