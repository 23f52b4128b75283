export { createTrpcTransport } from "./trpc-transport.js";
export type { StowageTrpcClient, StowageTrpcUploads, TrpcMutation, TrpcQuery } from "./trpc-transport.js";
