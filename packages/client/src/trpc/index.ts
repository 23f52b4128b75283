export { createTrpcTransport } from "./trpc-transport.js";
export type { StowageTrpcClient, TrpcMutation, TrpcQuery } from "./trpc-transport.js";
