import { readPieces } from "../read-document.js";
import type { Repository } from "../repository.js";

/** Names that no file but a document has, and whose they are. */
const OF_OTHERS = new Set([
  // Frameworks, OpenTelemetry's SDK, reproducible builds, Microsoft Entra
  "CUSTOM_ELEMENTS_SCHEMA",
  "HOST_HEADER",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_SERVICE_NAME",
  "SOURCE_DATE_EPOCH",
  "TENANT_ID",
  // Placeholders of the page itself
  "APP_ID",
  "PROJECT_REF",
]);

/** Each name in capitals with an underscore is a setting, or a constant or variable that some code has. */
export function findUnknownSettings({ documents, settings, constants }: Repository): string[] {
  const known = new Set([...settings, ...constants, ...OF_OTHERS]);
  const isKnown = (name: string): boolean =>
    name.endsWith("_") ? [...known].some((each) => each.startsWith(name)) : known.has(name);
  return [...documents].flatMap(([path, markdown]) =>
    readPieces(markdown)
      // Blocks in other languages are programs with constants of their own. Other tests compile or run them.
      .filter(
        ({ kind, language }) => kind === "inline" || (kind === "block" && /^(sh|yaml|)$/.test(language)),
      )
      .flatMap(({ text, line }) =>
        // `CDN_BUNNY_…` and `S3_*` stand for all that begin so.
        [...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b[A-Z][A-Z0-9_]*_(?=[…*])/g)]
          .filter(([name]) => !isKnown(name))
          .map(([name]) => `${path}:${line} names ${name}, which no code reads`),
      ),
  );
}
