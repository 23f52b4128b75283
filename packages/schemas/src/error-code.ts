import * as z from "zod";
import { type ErrorCode, errorCatalogue } from "./errors.js";

/** A code in an answer. Its type names the codes by their alias, so that declarations do not repeat them. */
export const errorCode = z.enum(
  Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]],
) as z.ZodType<ErrorCode>;
