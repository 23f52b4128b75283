import type { EncodedFormat, VariantParameters } from "../preset-parameters.js";
import type { DecodeRequest } from "./protocol.js";

/** A PNG of 2 × 2 pixels. */
const IMAGE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQImWM4k2Z8Js2YAUIBACl+BZUrwmpRAAAAAElFTkSuQmCC",
  "base64",
);

const formats: EncodedFormat[] = ["webp", "avif", "jpeg"];

const parameters: VariantParameters = { width: 2, height: 2, fit: "inside", format: "webp", quality: 80 };

/** A known good image in each format that presets may have. A decoder that cannot make these can make nothing. */
export const selfTests: DecodeRequest[] = formats.map((format) => ({
  bytes: IMAGE,
  format: "png",
  parameters: { ...parameters, format },
}));
