import type { UploadSettings } from "../upload-settings.js";

/** The scope of a list in the memory of the browser: lists of other backends and routes on the same page have uploads of their own. */
export function scopeOf({ endpoint = "", route = "" }: UploadSettings): string {
  return JSON.stringify([endpoint, route]);
}
