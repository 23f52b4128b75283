/** A preset of the project that has a width, as the page knows it. */
export interface ImageSize {
  /** Name of the preset. */
  preset: string;
  /** Pixels. */
  width: number;
}

/**
 * Writes the attribute `srcset` of an image. The browser then loads the variant that fits the screen.
 *
 * @param urlOf the address of one variant. A preset without an address is left out
 * @example <img srcSet={toSrcSet(SIZES, (preset) => urls[preset])} sizes="(width < 40rem) 100vw, 20rem" … />
 */
export function toSrcSet(
  sizes: readonly ImageSize[],
  urlOf: (preset: string) => string | null | undefined,
): string {
  return sizes
    .toSorted((one, other) => one.width - other.width)
    .flatMap(({ preset, width }) => {
      const url = urlOf(preset);
      return url ? [`${escapeUrl(url)} ${width}w`] : [];
    })
    .join(", ");
}

/** A space would end the URL, and a comma at its end would end the candidate. */
const escapeUrl = (url: string) => url.replace(/\s/g, encodeURIComponent).replace(/^,|,$/g, "%2C");

/** What `next/image` gives to a loader. */
export interface ImageLoaderInput {
  src: string;
  /** Pixels. */
  width: number;
  quality?: number | undefined;
}

/** The presets that a loader for responsive images chooses from. */
export interface ImageLoaderOptions {
  sizes: readonly ImageSize[];
  /**
   * Where the helper is mounted. `src` is then the `file_path` of a file of the signed-in user, and the helper redirects to the
   * variant. Use `url` for public files.
   */
  endpoint?: string | undefined;
  /** Makes the address of a variant in another way. It must not wait for anything, because `next/image` does not. */
  url?: ((src: string, preset: string) => string) | undefined;
}

/**
 * Creates a loader for `next/image`. It answers the smallest preset that is at least as wide as the browser needs, or the widest one.
 * `quality` is ignored, because the preset has its own.
 *
 * @throws {TypeError} without sizes, or with neither `endpoint` nor `url`
 * @example const loader = createImageLoader({ endpoint: "/api/upload", sizes: [{ preset: "small", width: 320 }] });
 */
export function createImageLoader({
  sizes,
  endpoint,
  url,
}: ImageLoaderOptions): (input: ImageLoaderInput) => string {
  const ordered = sizes.toSorted((one, other) => one.width - other.width);
  const widest = ordered.at(-1);
  if (!widest) throw new TypeError("Set sizes: a loader needs at least one preset");
  const address = url ?? (endpoint === undefined ? undefined : redirectOf(endpoint));
  if (!address) throw new TypeError("Set endpoint or url: a loader needs to know where the images are");
  return ({ src, width }) => {
    const fitting = ordered.find((size) => size.width >= width) ?? widest;
    return address(src, fitting.preset);
  };
}

/** The address of the helper that checks the session and redirects to storage. */
function redirectOf(endpoint: string) {
  const base = endpoint.replace(/\/+$/, "");
  return (filePath: string, variant: string) =>
    `${base}/download?${new URLSearchParams({ file_path: filePath, disposition: "inline", reuse: "true", variant })}`;
}
