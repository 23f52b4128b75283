export { fr } from "@stowage/client/locales/fr";
