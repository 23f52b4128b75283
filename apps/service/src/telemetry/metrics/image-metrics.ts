import type { Registry } from "prom-client";
import { type VariantOutcome, variantOutcomes } from "#images/make-variant.js";
import { addHistogram } from "./families.js";

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Image variants of this worker. */
export function addImageMetrics(registry: Registry) {
  const variants = addHistogram(registry, {
    name: "stowage_image_variant_duration_seconds",
    help: "Tries to make an image variant by their outcome, with the time to read the file and to write the variant.",
    labelNames: ["outcome"] as const,
    buckets: SECONDS,
  });
  for (const outcome of variantOutcomes) variants.zero({ outcome });
  return {
    onVariantEnd: (outcome: VariantOutcome, seconds: number) => variants.observe({ outcome }, seconds),
  };
}
