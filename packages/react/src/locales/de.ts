export { de } from "@stowage/client/locales/de";
