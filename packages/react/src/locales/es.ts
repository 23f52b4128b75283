export { es } from "@stowage/client/locales/es";
