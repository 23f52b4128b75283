export { pt } from "@stowage/client/locales/pt";
