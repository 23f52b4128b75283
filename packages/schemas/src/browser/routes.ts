import * as z from "zod";
import { textField } from "../text-field.js";

/** The limits of a route, as the widget gets them. */
export const browserRoute = z.object({
  accept: z.array(z.string()).optional(),
  /** Bytes. */
  max_size: z.int().optional(),
  /** Bytes. */
  min_size: z.int().optional(),
  max_files: z.int().optional(),
});
export type BrowserRoute = z.infer<typeof browserRoute>;

/** Answer of `GET <mount>/routes`: the routes by name. */
export const browserRoutesResponse = z.object({ routes: z.record(z.string(), browserRoute) });
export type BrowserRoutesResponse = z.infer<typeof browserRoutesResponse>;

/** Name of one of the helper's upload routes. */
export const routeName = textField("route", { max: 64, required: true });
