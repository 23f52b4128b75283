import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/** Without these flags Chromium calls Google's servers at each start, which is slow in a closed network. */
const OFFLINE_FLAGS = [
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Launches the Chromium named by the CHROME environment variable, an installed one, or the one of npm's @sparticuz/chromium.
 * The arguments that @sparticuz/chromium recommends are not used: they disable web security, and with it the CORS checks that
 * the tests rely on.
 */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch(await chromiumToLaunch());
}

/** Returns what starts the same Chromium with another library than Playwright. */
export async function chromiumToLaunch(): Promise<{ executablePath: string; args: string[] }> {
  const args = [...OFFLINE_FLAGS, "--no-sandbox", "--disable-gpu"];
  const installed = process.env["CHROME"] || INSTALLED.find((path) => existsSync(path));
  if (installed) return { executablePath: installed, args };
  const { default: packaged } = await import("@sparticuz/chromium");
  return { executablePath: await packaged.executablePath(), args: [...args, "--headless=shell"] };
}
