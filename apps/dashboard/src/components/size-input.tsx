import { parseSize, type Size } from "@stowage/schemas/rules";
import { TextInput, type TextInputProps } from "@mantine/core";
import { common } from "./common-texts.js";
import { formatBytes } from "./format.js";

interface SizeInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  onChange: (value: string) => void;
}

/** An input for sizes such as "5 GB". Shows below it how the text was understood. */
export function SizeInput({ value, onChange, ...props }: SizeInputProps) {
  const bytes = parseSizeInput(value);
  return (
    <TextInput
      placeholder={common.sizeExample}
      description={bytes === null ? common.sizeHint : common.sizeInterpreted(formatBytes(bytes))}
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
  );
}

/** Returns the size in bytes, or null if the text is not a size. */
export function parseSizeInput(text: string): number | null {
  try {
    return parseSize(text as Size);
  } catch {
    return null;
  }
}

const UNITS = [
  ["TB", 1000 ** 4],
  ["GB", 1000 ** 3],
  ["MB", 1000 ** 2],
  ["KB", 1000],
  // The largest file of S3, and limits that were set in these units before, are whole numbers only here.
  ["TiB", 1024 ** 4],
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
] as const;

/** A larger number is hard to read: 5 GiB is 5368709.12 KB. */
const MAX_COUNT = 10_000;

/** Formats a size for {@link SizeInput} without rounding: {@link parseSizeInput} returns the same number of bytes. */
export function formatSizeInput(bytes: number): string {
  const exact = UNITS.map(([unit, unitBytes]) => ({ unit, count: bytes / unitBytes })).find(
    ({ count }) => count >= 1 && count < MAX_COUNT && Number.isInteger(count * 100),
  );
  return exact ? `${exact.count} ${exact.unit}` : `${bytes} B`;
}
