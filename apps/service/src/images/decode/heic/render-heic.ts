import type { VariantParameters } from "../../preset-parameters.js";
import { requireFewPixels } from "../limits.js";
import { type Rendered, UnreadableError } from "../renderer.js";
import { hasShapeOf, scaledSize, type Size } from "../size.js";
import { aTiffFile, type Pixels } from "../tiff-file.js";
import { applyCurve, colorsOf } from "./colors.js";
import { type Libheif, withLibheif } from "./libheif.js";

/** Numbers of heif_image.h. */
const RGB = 1;
const INTERLEAVED = 10;
const INTERLEAVED_RGB = 10;
const INTERLEAVED_RGBA = 11;

/**
 * Decodes a HEIC: a still picture of HEVC, of a phone mostly a grid of tiles. Rotation, mirroring and cropping are properties of the
 * container, and are applied here. The Exif data, which repeats the orientation, is not taken along.
 */
export async function renderHeic(original: Buffer, parameters: VariantParameters): Promise<Rendered> {
  return withLibheif((heif) => {
    const bytes = heif._malloc(original.length);
    const context = heif._heif_context_alloc();
    let primary = 0;
    try {
      if (bytes === 0) throw new Error("out of memory while a HEIC was read");
      heif.HEAPU8.set(original, bytes);
      heif.attempt((error) =>
        heif._heif_context_read_from_memory_without_copy(error, context, bytes, original.length, 0),
      );
      primary = heif.get((error, to) => heif._heif_context_get_primary_image_handle(error, context, to));
      return renderImage(heif, primary, parameters);
    } finally {
      heif._heif_image_handle_release(primary);
      heif._heif_context_free(context);
      heif._free(bytes);
    }
  });
}

function renderImage(heif: Libheif, primary: number, parameters: VariantParameters): Rendered {
  const size = sizeOf(heif, primary);
  requireFewPixels("heic", size);
  const colors = colorsOf(heif, primary);
  const thumbnail = findThumbnail(heif, primary, size, scaledSize(size, parameters));
  if (thumbnail === null) return { bytes: renderHandle(heif, primary, colors), size };
  try {
    return { bytes: renderHandle(heif, thumbnail, colors), size };
  } catch (error) {
    // Some phones write a thumbnail that does not have the size that its box names.
    if (!(error instanceof UnreadableError)) throw error;
    return { bytes: renderHandle(heif, primary, colors), size };
  } finally {
    heif._heif_image_handle_release(thumbnail);
  }
}

/** @returns a TIFF */
function renderHandle(heif: Libheif, handle: number, { icc, curve }: ReturnType<typeof colorsOf>): Buffer {
  const channels = heif._heif_image_handle_has_alpha_channel(handle) === 0 ? 3 : 4;
  const { bytes, pixels } = aTiffFile({ ...sizeOf(heif, handle), channels }, icc);
  decode(heif, handle, pixels);
  if (curve) applyCurve(pixels, curve);
  return bytes;
}

function sizeOf(heif: Libheif, handle: number): Size {
  return {
    width: heif._heif_image_handle_get_width(handle),
    height: heif._heif_image_handle_get_height(handle),
  };
}

/** Phones store a small picture with each photo. It is decoded fifty times faster, and used where it is large enough. */
function findThumbnail(heif: Libheif, primary: number, size: Size, needed: Size): number | null {
  const ids = heif._malloc(4);
  try {
    if (heif._heif_image_handle_get_list_of_thumbnail_IDs(primary, ids, 1) === 0) return null;
    const id = heif.u32(ids);
    const thumbnail = heif.get((error, to) => heif._heif_image_handle_get_thumbnail(error, primary, id, to));
    const has = sizeOf(heif, thumbnail);
    if (has.width >= needed.width && has.height >= needed.height && hasShapeOf(has, size)) return thumbnail;
    heif._heif_image_handle_release(thumbnail);
    return null;
  } finally {
    heif._free(ids);
  }
}

function decode(heif: Libheif, handle: number, pixels: Pixels): void {
  const hasAlpha = pixels.channels === 4;
  const chroma = hasAlpha ? INTERLEAVED_RGBA : INTERLEAVED_RGB;
  // A tile has its transparency in another picture.
  const tiles = hasAlpha ? null : tilesOf(heif, handle);
  if (!tiles) {
    const image = heif.get((error, to) => heif._heif_decode_image(error, handle, to, RGB, chroma, 0));
    copyImage(heif, image, pixels, { left: 0, top: 0 });
    return;
  }
  for (let row = 0; row < tiles.rows; row++)
    for (let column = 0; column < tiles.columns; column++) {
      const image = heif.get((error, to) =>
        heif._heif_image_handle_decode_image_tile(error, handle, to, RGB, chroma, 0, column, row),
      );
      copyImage(heif, image, pixels, { left: column * tiles.width, top: row * tiles.height });
    }
}

/**
 * A grid is decoded tile by tile, which needs a third of the memory. Null: the picture is not a grid, is cropped, or is larger than its tiles,
 * which libheif refuses if it decodes the whole.
 */
function tilesOf(heif: Libheif, handle: number) {
  const size = sizeOf(heif, handle);
  const to = heif._malloc(TILING_BYTES);
  try {
    heif.attempt((error) => heif._heif_image_handle_get_image_tiling(error, handle, 1, to));
    const [, columns = 1, rows = 1, width = 0, height = 0, , , top, left] = Array.from(
      { length: 9 },
      (_, n) => heif.u32(to + 4 * n),
    );
    const isCovered = columns * width >= size.width && rows * height >= size.height;
    const isPlain = columns * rows > 1 && top === 0 && left === 0;
    return isPlain && isCovered ? { columns, rows, width, height } : null;
  } finally {
    heif._free(to);
  }
}

/** `struct heif_image_tiling`: version, columns, rows, size of a tile, size of the image, offsets, and further dimensions. */
const TILING_BYTES = 80;

/** Copies the part of an image that is inside of the picture, and frees the image. */
function copyImage(
  heif: Libheif,
  image: number,
  to: Pixels,
  { left, top }: { left: number; top: number },
): void {
  const at = heif._malloc(4);
  try {
    const plane = heif._heif_image_get_plane_readonly(image, INTERLEAVED, at);
    const stride = heif.u32(at);
    const width = Math.min(heif._heif_image_get_width(image, INTERLEAVED), to.width - left);
    const height = Math.min(heif._heif_image_get_height(image, INTERLEAVED), to.height - top);
    for (let y = 0; y < height; y++) {
      const row = heif.HEAPU8.subarray(plane + y * stride, plane + y * stride + width * to.channels);
      to.data.set(row, ((top + y) * to.width + left) * to.channels);
    }
  } finally {
    heif._free(at);
    heif._heif_image_release(image);
  }
}
