import { createHash } from "node:crypto";
import type { StowageError } from "@stowage/schemas";
import { pageHeaders } from "./page-headers.js";

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { display: grid; place-items: center; min-height: 90vh; margin: 1rem; }
main { width: min(24rem, 100%); }
h1 { font-size: 1.5rem; line-height: 1.25; }
label { display: block; }
input, button { box-sizing: border-box; width: 100%; min-height: 2.75rem; margin: 0.25rem 0 1rem; font: inherit; }
input { padding: 0 0.5rem; }`;

const styleSource = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

/**
 * The headers of the pages of a share link. They run no script and load nothing.
 *
 * @param storageOrigins where files are. The form's answer redirects there, and Chrome applies `form-action` to redirects too
 */
export function linkPageHeaders(storageOrigins: string[]): Record<string, string> {
  const headers = pageHeaders([`style-src ${styleSource}`], {
    defaultSource: "'none'",
    formTargets: ["'self'", ...storageOrigins].join(" "),
  });
  return { ...headers, "Content-Type": "text/html; charset=utf-8" };
}

/** Asks for the password of a link. The form has no address, so it is sent to the address of the page, also below a path. */
export function renderPasswordPage({ isWrong }: { isWrong: boolean }): string {
  const problem = isWrong
    ? '\n<p id="problem" role="alert">This password is wrong. Please try again.</p>'
    : "";
  const about = isWrong ? ' aria-invalid="true" aria-describedby="problem"' : "";
  return page(
    "This file needs a password",
    `${problem}
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" required autofocus${about}>
<button>Download</button>
</form>`,
  );
}

/** Says why a visitor gets no file. Nothing in it tells why a link does not work. */
export function renderProblemPage({ code, retryAfterSeconds }: StowageError): string {
  switch (code) {
    case "link_not_found":
      return page(
        "This link does not work",
        "<p>It does not exist, it has ended, or its file is not available. Ask the person who sent it.</p>",
      );
    case "too_many_requests":
      return page("Too many tries", `<p>Please try again in ${inWords(retryAfterSeconds ?? 60)}.</p>`);
    case "unavailable":
      return page("Not available now", "<p>Please try again in a few minutes.</p>");
    default:
      return page("This did not work", "<p>Please open the link again.</p>");
  }
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

const page = (title: string, content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>${content}
</main>
</body>
</html>
`;
