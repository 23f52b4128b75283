export { nl } from "@stowage/client/locales/nl";
