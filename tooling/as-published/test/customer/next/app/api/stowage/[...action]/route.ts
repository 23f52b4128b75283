import { toNextHandlers } from "@stowage/server/next";
import { makeStowage } from "../../../../stowage";

export const { GET, POST, OPTIONS } = toNextHandlers(makeStowage);
