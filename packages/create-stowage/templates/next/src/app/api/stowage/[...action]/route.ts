import { toNextHandlers } from "@stowage/server/next";
import { makeStowage } from "../../../../stowage/helper";

export const { GET, POST, OPTIONS } = toNextHandlers(makeStowage);
