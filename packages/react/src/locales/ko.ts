export { ko } from "@stowage/client/locales/ko";
