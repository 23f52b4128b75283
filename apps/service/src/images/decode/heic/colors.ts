import type { Libheif } from "./libheif.js";
import type { Pixels } from "../tiff-file.js";
import { type Primaries, profileOf } from "../matrix-profile.js";

/* The colors of a HEIC: an ICC profile (phones), or numbers of ITU-T H.273 (cameras). */

const MAX_ICC_BYTES = 4 * 1024 ** 2;

export interface Colors {
  /** Null: sRGB. */
  icc: Buffer | null;
  /** What each value becomes, if the picture is HDR. */
  curve: Uint8Array | null;
}

const PRIMARIES: Partial<Record<number, Primaries>> = { 9: "bt2020", 12: "p3" };
const CURVES: Partial<Record<number, (signal: number) => number>> = { 16: nitsOfPq, 18: nitsOfHlg };

export function colorsOf(heif: Libheif, handle: number): Colors {
  const icc = readProfile(heif, handle);
  if (icc) return { icc, curve: null };
  const numbers = readNumbers(heif, handle);
  if (!numbers) return { icc: null, curve: null };
  const primaries = PRIMARIES[numbers.primaries];
  const nitsOf = CURVES[numbers.transfer];
  return { icc: primaries ? profileOf(primaries) : null, curve: nitsOf ? toneCurve(nitsOf) : null };
}

function readProfile(heif: Libheif, handle: number): Buffer | null {
  const size = heif._heif_image_handle_get_raw_color_profile_size(handle);
  if (size === 0 || size > MAX_ICC_BYTES) return null;
  const to = heif._malloc(size);
  try {
    heif.attempt((error) => heif._heif_image_handle_get_raw_color_profile(error, handle, to));
    return Buffer.from(heif.HEAPU8.subarray(to, to + size));
  } finally {
    heif._free(to);
  }
}

/** "nclx". */
const NCLX = 0x6e636c78;

/** Of `struct heif_color_profile_nclx`. Null: the picture has none. */
function readNumbers(heif: Libheif, handle: number) {
  if (heif._heif_image_handle_get_color_profile_type(handle) !== NCLX) return null;
  const profile = heif.get((error, to) => heif._heif_image_handle_get_nclx_color_profile(error, handle, to));
  const numbers = { primaries: heif.u32(profile + 4), transfer: heif.u32(profile + 8) };
  heif._heif_nclx_color_profile_free(profile);
  return numbers;
}

/** The white of a page that is not HDR, in nits: ITU-R BT.2408. */
const WHITE_NITS = 203;
/** What is so many times brighter than white, or more, becomes white. */
const BRIGHTEST = 5;
/** Up to here, light stays as it is. */
const KNEE = 0.5;

/** Shows HDR on a screen that has none: dark and middle tones stay, highlights are compressed. */
function toneCurve(nitsOf: (signal: number) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, value) =>
    Math.round(255 * encodeSrgb(compress(nitsOf(value / 255) / WHITE_NITS))),
  );
}

/** Reinhard's curve with a white point, above the knee. */
function compress(light: number): number {
  if (light <= KNEE) return light;
  const [above, white] = [light, BRIGHTEST].map((each) => (each - KNEE) / (1 - KNEE)) as [number, number];
  return Math.min(1, KNEE + (1 - KNEE) * ((above * (1 + above / white ** 2)) / (1 + above)));
}

export function applyCurve({ data, channels }: Pixels, curve: Uint8Array): void {
  for (let at = 0; at < data.length; at += channels)
    for (let channel = at; channel < at + 3; channel++) data[channel] = curve[data[channel] ?? 0] ?? 0;
}

/** SMPTE ST 2084. */
function nitsOfPq(signal: number): number {
  const power = signal ** (32 / 2523);
  return 10_000 * (Math.max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)) ** (16384 / 2610);
}

/** ITU-R BT.2100, for a screen of 1000 nits. */
function nitsOfHlg(signal: number): number {
  const scene =
    signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12;
  return 1000 * scene ** 1.2;
}

const encodeSrgb = (light: number) =>
  light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
