export { createTrpcTransport } from "@stowage/client/trpc";
export type { StowageTrpcClient, StowageTrpcUploads, TrpcMutation, TrpcQuery } from "@stowage/client/trpc";
export { useTrpcTransport, type StowageTrpcHooks } from "./use-trpc-transport.js";
