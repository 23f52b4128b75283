import { spawnSync } from "node:child_process";
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
 * Launches the Chromium named by the CHROME environment variable, the headless shell of npm's @sparticuz/chromium on Linux, or an installed
 * Chromium. The headless shell needs half of the time of a whole browser without a window, and has the same version on every machine. The
 * arguments that @sparticuz/chromium recommends are not used: they disable web security, and with it the CORS checks that the tests rely on.
 */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch(await chromiumToLaunch());
}

/** Returns what starts the same Chromium with another library than Playwright. */
export async function chromiumToLaunch(): Promise<{ executablePath: string; args: string[] }> {
  const args = [...OFFLINE_FLAGS, "--no-sandbox", "--disable-gpu"];
  if (process.env["CHROME"]) return { executablePath: process.env["CHROME"], args };
  const { default: packaged } = await import("@sparticuz/chromium");
  const shell = { executablePath: await packaged.executablePath(), args: [...args, "--headless=shell"] };
  if (canRun(shell.executablePath)) return shell;
  const installed = INSTALLED.find((path) => existsSync(path));
  return installed ? { executablePath: installed, args } : shell;
}

/** Whether this machine has the system and the libraries that a program needs. */
function canRun(executablePath: string): boolean {
  return spawnSync(executablePath, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0;
}
