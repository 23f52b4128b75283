/**
 * Whether a clipboard has text besides its files, as Word, Excel and browsers copy it: a person wants to paste the text, and the picture
 * is another form of it. The names and addresses of the files, and the tag of a single picture, are not such a text.
 */
export function hasOwnText(data: DataTransfer): boolean {
  if (!data.types.some((type) => /^text\/(plain|html)$/.test(type))) return false;
  const page = new DOMParser().parseFromString(data.getData("text/html"), "text/html");
  const pictures = [...page.querySelectorAll("img")];
  if (pictures.length > 1 || page.querySelector("table")) return true;
  for (const code of page.querySelectorAll("style, script, title")) code.remove();
  const lines = `${plainTextOf(data)}\n${page.documentElement.textContent}`.split(/[\r\n]+/);
  const names = new Set(
    [...pictures.map(({ src }) => src), ...[...data.files].map(({ name }) => name)].map(nameOf),
  );
  return lines.some((line) => line.trim() !== "" && !names.has(nameOf(line)));
}

/** Older versions of GNOME's file manager say first that the files are copied. */
const plainTextOf = (data: DataTransfer) =>
  data.getData("text/plain").replace(/^x-special\/nautilus-clipboard\s+(copy|cut)\s/, "");

/** The last part of a name, a path or an address, as every system writes it. */
function nameOf(line: string): string {
  const name = line.trim().replace(/.*[/\\]/, "");
  try {
    return decodeURIComponent(name).normalize();
  } catch {
    // A name with a percent sign.
    return name.normalize();
  }
}
