import sharp from "sharp";
import type { Picture } from "./picture.js";

/*
 * Browsers show a JPEG whose end is missing: what is there, and gray for the rest. Cameras and messengers write such files, for example
 * without the marker of the end.
 */

/** The least rows that are shown. A block of pixels has up to so many. */
const TOP_ROWS = 16;

/** Whether a damaged JPEG has more than a header: its first rows, or, if it is progressive, a coarse picture. */
export async function showsTop({ bytes, metadata }: Picture): Promise<boolean> {
  const { width, height, isProgressive } = metadata;
  if (isProgressive) return endsFirstScan(bytes);
  try {
    // The rows as they are stored, so without the orientation.
    await sharp(bytes, { failOn: "error", limitInputPixels: false, sequentialRead: true })
      .extract({ left: 0, top: 0, width, height: Math.min(TOP_ROWS, height) })
      .raw()
      .toBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Whether the first scan of a progressive JPEG is complete: a marker follows its data. https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1 */
function endsFirstScan(bytes: Buffer): boolean {
  const START_OF_SCAN = 0xda;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== START_OF_SCAN)
    at += 2 + bytes.readUInt16BE(at + 2);
  if (bytes[at + 1] !== START_OF_SCAN) return false;
  for (at = bytes.indexOf(0xff, at + 2); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1))
    if (!isWithinScan(bytes[at + 1] ?? 0)) return true;
  return false;
}

/** An escaped byte, a fill byte, or a restart marker. */
const isWithinScan = (code: number) => code === 0 || code === 0xff || (code >= 0xd0 && code <= 0xd7);
