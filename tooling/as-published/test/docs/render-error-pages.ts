import { en } from "@stowage/react/locales/en";
import type { MessageContext, UploadErrorCode } from "@stowage/react";
import { errorCatalogue, type ErrorCode, serviceErrors } from "@stowage/schemas";

/** Every code of the catalogue and of the browser. Each has a text of its own. */
export const codes = [
  ...new Set([...Object.keys(errorCatalogue), ...Object.keys(en.errors)]),
] as UploadErrorCode[];

/** Both sections have a text. What follows them belongs to the explanation. */
const EXPLANATION = /(?:^|\n)(## Cause\n\n[^#\s][^]*\n## Fix\n\n[^#\s][^]*?)\s*$/;

/**
 * Renders the page of a code in `docs/errors/`. Its cause, its fix and what follows are written by hand; the rest comes from the
 * catalogue.
 *
 * @param written the page as it is
 * @throws {Error} if it has no cause or no fix
 */
export function renderPage(code: UploadErrorCode, written: string): string {
  const [, explanation] = EXPLANATION.exec(written) ?? [];
  if (explanation === undefined) throw new Error(`docs/errors/${code}.md needs "## Cause" and "## Fix"`);
  const source = SOURCE_NAMES[sourceOf(code)];
  const facts = isCatalogued(code)
    ? [`- HTTP ${errorCatalogue[code].status} from ${source}`, `- \`detail\`: ${errorCatalogue[code].detail}`]
    : [`- from ${source}`];
  return [
    "<!-- Generated, except cause and fix -->",
    "",
    `# ${code}`,
    "",
    ...facts,
    `- widget: ${messageOf(code)}`,
    "",
    explanation,
    "",
  ].join("\n");
}

type Source = "service" | "helper" | "widget";

const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  service: "the service",
  helper: "the helper",
  widget: "the widget",
};

function sourceOf(code: UploadErrorCode): Source {
  if (code in serviceErrors) {
    return "service";
  }
  return isCatalogued(code) ? "helper" : "widget";
}

const isCatalogued = (code: UploadErrorCode): code is ErrorCode => code in errorCatalogue;

/** The limits are examples: in a page, the texts contain the page's limits. */
const EXAMPLE: MessageContext = {
  name: "photo.jpg",
  size: 6 * 1024 ** 2,
  limits: {
    accept: "image/*",
    maxSize: 5 * 1024 ** 2,
    minSize: 1024,
    maxFiles: 3,
    maxTotalSize: 20 * 1024 ** 2,
  },
  status: 0,
  detail: undefined,
  locale: "en",
};

function messageOf(code: UploadErrorCode): string {
  const message = en.errors[code] ?? en.errors.request_refused;
  return typeof message === "string" ? message : message(EXAMPLE);
}

const HEADINGS: Readonly<Record<Source, string>> = {
  service: "Raised by the service",
  helper: "Raised by the helper",
  widget: "Raised by the widget",
};

/** Renders `docs/errors/README.md`. */
export function renderIndex(): string {
  const sections = (Object.keys(HEADINGS) as Source[]).flatMap((source) => [
    `## ${HEADINGS[source]}`,
    "",
    ...renderList(codes.filter((code) => sourceOf(code) === source)),
    "",
  ]);
  return [
    "<!-- Generated -->",
    "",
    "# Error codes",
    "",
    "Compare codes, not texts. The code is in `StowageError.code` in the backend, in `failure.code` in the widget, in `code` of the helper's",
    "answers, and in the header `X-Error-Code` of the service's. Helper and widget pass the codes of the service on.",
    "",
    ...sections,
  ].join("\n");
}

function renderList(codes: UploadErrorCode[]): string[] {
  return codes.map((code) => {
    const link = `- [\`${code}\`](${code}.md)`;
    return isCatalogued(code) ? `${link} ${errorCatalogue[code].status}` : link;
  });
}
