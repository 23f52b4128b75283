export { it } from "@stowage/client/locales/it";
