export { zhCN } from "@stowage/client/locales/zh-CN";
