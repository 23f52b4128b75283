import type { Page } from "playwright-core";

/**
 * Collects what a page writes to its console as an error, and the errors that it does not catch.
 *
 * @param options.warnings whether warnings count too. @default false
 * @returns a list that grows while the page is open
 */
export function collectConsoleErrors(page: Page, { warnings = false } = {}): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || (warnings && message.type() === "warning")) errors.push(message.text());
  });
  return errors;
}
