import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/** Without these it calls its maker's hosts at every start; a closed network makes that slow. */
const QUIET = [
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A real Chromium: the one that CHROME names, an installed one, or the one in npm's @sparticuz/chromium. Never that
 * package's own arguments: they switch off web security, and with it the CORS that these tests are about.
 */
export async function launchChromium(): Promise<Browser> {
  const installed = process.env["CHROME"] || INSTALLED.find((path) => existsSync(path));
  if (installed) {
    return chromium.launch({ executablePath: installed, args: [...QUIET, "--no-sandbox", "--disable-gpu"] });
  }
  const { default: packaged } = await import("@sparticuz/chromium");
  return chromium.launch({
    executablePath: await packaged.executablePath(),
    args: [...QUIET, "--no-sandbox", "--disable-gpu", "--headless=shell"],
  });
}
