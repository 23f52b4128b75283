/** The extension of a file, without the dot, if it has at most four characters. A row without a picture shows it. */
export function extensionOf(name: string): string | undefined {
  return /\.(\w{1,4})$/.exec(name)?.[1];
}

/** Subtypes of `image/` that browsers can display and that cannot contain scripts. */
const PREVIEWED: readonly string[] = ["avif", "bmp", "gif", "jpeg", "png", "webp"];

/** Tells whether a row may show the file itself as a picture. */
export function canPreview(file: Blob): boolean {
  const [group, subtype = ""] = file.type.split("/");
  return group === "image" && PREVIEWED.includes(subtype) && file instanceof Blob;
}
