export * from "@stowage/service-fake";
