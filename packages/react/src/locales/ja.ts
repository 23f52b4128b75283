export { ja } from "@stowage/client/locales/ja";
