import { parseSize, type Size } from "@stowage/schemas/rules";
import { TextInput, type TextInputProps } from "@mantine/core";
import { common } from "../texts/common.js";
import { formatBytes } from "./format.js";

interface SizeInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  onChange: (value: string) => void;
}

/** A size as people write it, such as "5 GB", and below it how it is understood. */
export function SizeInput({ value, onChange, ...props }: SizeInputProps) {
  const bytes = readSize(value);
  return (
    <TextInput
      placeholder={common.sizeExample}
      description={bytes === null ? common.sizeHint : common.sizeMeans(formatBytes(bytes))}
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
  );
}

/** Whole bytes, or null for what is no size. */
export function readSize(text: string): number | null {
  try {
    return parseSize(text as Size);
  } catch {
    return null;
  }
}

const UNITS = ["TB", "GB", "MB", "KB"];

/** A number of bytes as one would write it into a {@link SizeInput}, exactly. */
export function writeSize(bytes: number): string {
  const exact = UNITS.map((unit, i) => ({ unit, count: bytes / 1024 ** (UNITS.length - i) })).find(
    ({ count }) => count >= 1 && Number.isInteger(count * 100),
  );
  return exact ? `${exact.count} ${exact.unit}` : `${bytes} B`;
}
