export * from "@stowage/dev-service";
