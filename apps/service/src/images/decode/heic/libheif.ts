import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { freeMemory } from "../free-memory.js";
import { UnreadableError } from "../renderer.js";

/*
 * The C interface of libheif, compiled to WebAssembly (https://github.com/strukturag/libheif, heif.h). Pointers are numbers. The decoder of
 * HEVC inside is libde265. docs/decisions/0057 says why this one, and what its licence and the patents of HEVC ask for.
 */

/** A pointer into the memory of the module. */
type Pointer = number;

interface Functions {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): Pointer;
  _free(at: Pointer): void;
  _heif_context_alloc(): Pointer;
  _heif_context_free(context: Pointer): void;
  _heif_context_read_from_memory_without_copy(
    error: Pointer,
    context: Pointer,
    bytes: Pointer,
    length: number,
    options: Pointer,
  ): void;
  _heif_context_get_primary_image_handle(error: Pointer, context: Pointer, handle: Pointer): void;
  _heif_image_handle_release(handle: Pointer): void;
  _heif_image_handle_get_width(handle: Pointer): number;
  _heif_image_handle_get_height(handle: Pointer): number;
  _heif_image_handle_has_alpha_channel(handle: Pointer): number;
  _heif_image_handle_get_color_profile_type(handle: Pointer): number;
  _heif_image_handle_get_raw_color_profile_size(handle: Pointer): number;
  _heif_image_handle_get_raw_color_profile(error: Pointer, handle: Pointer, to: Pointer): void;
  _heif_image_handle_get_nclx_color_profile(error: Pointer, handle: Pointer, profile: Pointer): void;
  _heif_nclx_color_profile_free(profile: Pointer): void;
  _heif_image_handle_get_list_of_thumbnail_IDs(handle: Pointer, ids: Pointer, count: number): number;
  _heif_image_handle_get_thumbnail(error: Pointer, handle: Pointer, id: number, thumbnail: Pointer): void;
  _heif_image_handle_get_image_tiling(
    error: Pointer,
    handle: Pointer,
    transformed: number,
    to: Pointer,
  ): void;
  _heif_image_handle_decode_image_tile(
    error: Pointer,
    handle: Pointer,
    image: Pointer,
    colorspace: number,
    chroma: number,
    options: Pointer,
    column: number,
    row: number,
  ): void;
  _heif_decode_image(
    error: Pointer,
    handle: Pointer,
    image: Pointer,
    colorspace: number,
    chroma: number,
    options: Pointer,
  ): void;
  _heif_image_get_plane_readonly(image: Pointer, channel: number, stride: Pointer): Pointer;
  _heif_image_get_width(image: Pointer, channel: number): number;
  _heif_image_get_height(image: Pointer, channel: number): number;
  _heif_image_release(image: Pointer): void;
}

/** The module, and words to talk with it. */
export interface Libheif extends Functions {
  /** Calls a function whose first parameter is the error, and throws it. */
  attempt(call: (error: Pointer) => void): void;
  /** The same for a function that returns a pointer in its last parameter. */
  get(call: (error: Pointer, to: Pointer) => void): Pointer;
  u32(at: Pointer): number;
}

const require = createRequire(import.meta.url);
const SCRIPT = "libheif-js/libheif-wasm/libheif.js";
let loaded: Libheif | null = null;

/** Gives the module to `use`. One that has trapped is not used again. It is loaded for the first HEIC: most workers see none for long. */
export async function withLibheif<Result>(use: (libheif: Libheif) => Result): Promise<Result> {
  const result = useLoaded(use);
  if (loaded && loaded.HEAPU8.length > KEPT_BYTES) {
    discard();
    // The encoder needs it.
    await freeMemory();
  }
  return result;
}

function useLoaded<Result>(use: (libheif: Libheif) => Result): Result {
  loaded ??= load();
  try {
    return use(loaded);
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    discard();
    // Its memory could not grow. V8 has other words for that.
    if (/oom|enlarge memory|bad_alloc/i.test((error as Error).message)) throw outOfMemory();
    if ((error as Error).name === "RuntimeError") throw new UnreadableError("the decoder of HEIC failed");
    throw error;
  }
}

/** The memory of a module never shrinks. A grid of tiles needs less than this, a large picture in one piece many times as much. */
const KEPT_BYTES = 64 * 1024 ** 2;

function discard(): void {
  loaded = null;
  // The script keeps the last module that it made.
  delete require.cache[require.resolve(SCRIPT)];
}

/** The words by which a lack of memory is recognized. */
const outOfMemory = () => new Error("out of memory while a HEIC was decoded");

function load(): Libheif {
  const create = require(SCRIPT) as (options: object) => Functions;
  const wasmBinary = readFileSync(require.resolve("libheif-js/libheif-wasm/libheif.wasm"));
  const module = create({ wasmBinary, print: () => undefined, printErr: () => undefined });
  const error = module._malloc(ERROR_BYTES);
  const result = module._malloc(4);
  const u8 = (at: Pointer) => module.HEAPU8[at] ?? 0;
  const u32 = (at: Pointer) => (u8(at) | (u8(at + 1) << 8) | (u8(at + 2) << 16) | (u8(at + 3) << 24)) >>> 0;
  const attempt: Libheif["attempt"] = (call) => {
    call(error);
    const [code, detail] = [u32(error), u32(error + 4)];
    if (code === 0) return;
    if (code === MEMORY_ERROR && detail !== SECURITY_LIMIT) throw outOfMemory();
    throw new UnreadableError(textAt(module.HEAPU8, u32(error + 8)));
  };
  const get: Libheif["get"] = (call) => {
    attempt((to) => call(to, result));
    return u32(result);
  };
  return new Proxy({ attempt, get, u32 } as Libheif, {
    // The module replaces its views when its memory grows.
    get: (own, name) => Reflect.get(own, name) ?? Reflect.get(module, name),
  });
}

/** `struct heif_error`: code, subcode, pointer to a message. */
const ERROR_BYTES = 12;
const MEMORY_ERROR = 6;
/** A subcode of the above: the file asks for more than any photo. */
const SECURITY_LIMIT = 1000;

function textAt(memory: Uint8Array, at: Pointer): string {
  return Buffer.from(memory.subarray(at, memory.indexOf(0, at))).toString("latin1");
}
