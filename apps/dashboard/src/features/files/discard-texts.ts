import { formatBytes, formatCount } from "../../components/format.js";

/** Texts of the dialog that discards uploads. It is loaded on demand. */
export const discard = {
  title: (n: number) => (n === 1 ? "Discard 1 upload?" : `Discard ${formatCount(n)} uploads?`),
  warning: (n: number, { reservedBytes, partBytes }: { reservedBytes: number; partBytes: number }) =>
    [
      reservedBytes > 0
        ? `${formatBytes(reservedBytes)} of reserved quota will be released immediately.`
        : "",
      partBytes > 0 ? `Parts that are stored already (${formatBytes(partBytes)}) are removed.` : "",
      n === 1
        ? "If its bytes arrive later, they are removed. An upload that has arrived in the meantime is kept."
        : "Bytes that arrive later are removed. Uploads that have arrived in the meantime are kept.",
    ]
      .join(" ")
      .trim(),
  discarded: (n: number) =>
    n === 1 ? "1 upload was discarded." : `${formatCount(n)} uploads were discarded.`,
  keptStored: (n: number) =>
    n === 1
      ? "1 upload has arrived in the meantime and was kept."
      : `${formatCount(n)} uploads have arrived in the meantime and were kept.`,
  alreadyEnded: (n: number) =>
    n === 1 ? "1 upload had already ended." : `${formatCount(n)} uploads had already ended.`,
  incomplete: (n: number) =>
    n === 1
      ? "1 upload was not discarded, because storage did not answer. Try again."
      : `${formatCount(n)} uploads were not discarded, because storage did not answer. Try again.`,
  failed: "No uploads were discarded",
} as const;
