export { createTrpcTransport } from "@stowage/client/trpc";
export type { StowageTrpcClient, TrpcMutation, TrpcQuery } from "@stowage/client/trpc";
export { useTrpcTransport, type StowageTrpcHooks } from "./use-trpc-transport.js";
