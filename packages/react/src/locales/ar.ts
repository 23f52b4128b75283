export { ar } from "@stowage/client/locales/ar";
