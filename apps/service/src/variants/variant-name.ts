/** The name of a variant: `photo.jpg` is saved as `photo.webp`. */
export function withExtension(filename: string, contentType: string): string {
  const extension = contentType === "image/jpeg" ? "jpg" : contentType.replace("image/", "");
  return `${filename.replace(/(?<=.)\.[^.]{1,10}$/, "")}.${extension}`;
}
