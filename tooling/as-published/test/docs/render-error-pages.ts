import { en } from "@stowage/react/locales/en";
import type { MessageContext, UploadErrorCode } from "@stowage/react";
import { errorCatalogue, type ErrorCode, serviceErrors } from "@stowage/schemas";
import { errorDocs } from "./error-docs.js";

/** Renders the files of `docs/errors/`: one page per code, and an index. */
export function renderErrorPages(): Map<string, string> {
  const codes = Object.keys(errorDocs) as UploadErrorCode[];
  const pages = codes.map((code) => [`${code}.md`, renderPage(code)] as const);
  return new Map([["README.md", renderIndex(codes)], ...pages]);
}

const GENERATED = "<!-- Generated from tooling/as-published/test/docs/error-docs.ts -->";

type Source = "service" | "helper" | "widget";

const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  service: "the service",
  helper: "the helper in your backend",
  widget: "the widget in the browser",
};

function sourceOf(code: UploadErrorCode): Source {
  if (code in serviceErrors) {
    return "service";
  }
  return isCatalogued(code) ? "helper" : "widget";
}

const isCatalogued = (code: UploadErrorCode): code is ErrorCode => code in errorCatalogue;

function renderPage(code: UploadErrorCode): string {
  const { cause, fix, details } = errorDocs[code];
  const source = SOURCE_NAMES[sourceOf(code)];
  const facts = isCatalogued(code)
    ? [`- HTTP ${errorCatalogue[code].status} from ${source}`, `- \`detail\`: ${errorCatalogue[code].detail}`]
    : [`- from ${source}`];
  return [
    GENERATED,
    "",
    `# ${code}`,
    "",
    ...facts,
    `- the widget says: ${messageOf(code)}`,
    "",
    "## Cause",
    "",
    cause,
    "",
    "## Fix",
    "",
    fix,
    "",
    ...(details === undefined ? [] : [details, ""]),
  ].join("\n");
}

/** The limits are examples: the texts contain those of the page. */
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
  const message = en.errors[code];
  return typeof message === "string" ? message : message(EXAMPLE);
}

const HEADINGS: Readonly<Record<Source, string>> = {
  service: "Raised by the service",
  helper: "Raised by the helper",
  widget: "Raised by the widget",
};

function renderIndex(codes: UploadErrorCode[]): string {
  const sections = (Object.keys(HEADINGS) as Source[]).flatMap((source) => [
    `## ${HEADINGS[source]}`,
    "",
    ...renderList(codes.filter((code) => sourceOf(code) === source)),
    "",
  ]);
  return [
    GENERATED,
    "",
    "# Error codes",
    "",
    "Compare codes, not texts. The code is in `StowageError.code` in the backend, in `failure.code` in the widget, in the member `code` of",
    "the helper's answers, and in the header `X-Error-Code` of the service's. Helper and widget pass the codes of the service on.",
    "",
    ...sections,
  ].join("\n");
}

function renderList(codes: UploadErrorCode[]): string[] {
  return codes.map((code) => {
    const link = `[\`${code}\`](${code}.md)`;
    return isCatalogued(code)
      ? `- ${link} ${errorCatalogue[code].status}: ${errorCatalogue[code].detail}`
      : `- ${link}: ${messageOf(code)}`;
  });
}
