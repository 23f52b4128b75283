import { Box, Text } from "@mantine/core";
import { useId } from "react";
import { images as texts } from "../../components/images-texts.js";
import type { PresetFields } from "./preset-form.js";
import classes from "./preset-preview.module.css";

const SAMPLE = { width: 1600, height: 1200 };
/** The longer side of the preview, in CSS pixels. */
const SHOWN = 200;

/** Shows a drawn sample image in the proportions of a preset, and the size that its variant would have. */
export function PresetPreview({ fields }: { fields: PresetFields }) {
  const id = useId();
  const size = sizeOf(fields);
  if (size === null) return null;
  const scale = SHOWN / Math.max(size.width, size.height);
  return (
    <Box>
      <Text size="sm" id={id}>
        {texts.preview}
      </Text>
      <svg
        role="img"
        aria-labelledby={id}
        className={classes["sample"]}
        viewBox={`0 0 ${SAMPLE.width} ${SAMPLE.height}`}
        preserveAspectRatio={fields.fit === "cover" ? "xMidYMid slice" : "xMidYMid meet"}
        width={Math.max(1, Math.round(size.width * scale))}
        height={Math.max(1, Math.round(size.height * scale))}
      >
        <rect className={classes["sky"]} width="1600" height="1200" />
        <circle className={classes["sun"]} cx="1180" cy="330" r="150" />
        <path className={classes["far"]} d="M0 900 450 380l520 620H0z" />
        <path className={classes["near"]} d="M0 1200 900 560l700 540v100z" />
      </svg>
      <Text size="xs" c="dimmed">{`${size.width} × ${size.height}`}</Text>
    </Box>
  );
}

/** The size of the sample's variant, as the service computes it, or null while the fields are no size. */
export function sizeOf({ width, height, fit }: PresetFields): { width: number; height: number } | null {
  const sides = [width, height].map((text) => (text.trim() === "" ? null : Number(text)));
  if (sides.some((side) => side !== null && !(Number.isInteger(side) && side > 0))) return null;
  const [wide, high] = sides as [number | null, number | null];
  if (fit === "cover") return wide === null || high === null ? null : { width: wide, height: high };
  if (wide === null && high === null) return null;
  const scale = Math.min(1, (wide ?? Infinity) / SAMPLE.width, (high ?? Infinity) / SAMPLE.height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(SAMPLE.width), height: scaled(SAMPLE.height) };
}
