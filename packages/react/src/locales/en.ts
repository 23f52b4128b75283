export { en } from "@stowage/client/locales/en";
