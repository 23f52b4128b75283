// Runs before the development server. While .env has no API key, this takes the key of the demo project, which `npx stowage` writes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const ENV_FILE = ".env";
const DEMO_FILES = [".stowage/demo.json", "../.stowage/demo.json"];

const env = existsSync(ENV_FILE) ? readFileSync(ENV_FILE, "utf8") : "";
const demoFile = DEMO_FILES.find((file) => existsSync(file));
const key = valueOf("STOWAGE_API_KEY");

if (!process.env.STOWAGE_API_KEY) {
  if (key !== undefined) compareWithDemoKey();
  else if (demoFile !== undefined) takeDemoKey();
  else endWithoutKey();
}

/** Returns a value of .env; undefined if it is empty. */
function valueOf(name) {
  const line = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*["']?([^\\s"']+)`, "m");
  return line.exec(env)?.[1];
}

function readDemo() {
  return JSON.parse(readFileSync(demoFile, "utf8"));
}

/** A new `.stowage` folder has a new demo project with another key. */
function compareWithDemoKey() {
  let demo;
  try {
    demo = readDemo();
  } catch {
    return; // Without a demo project that can be read, the key in .env counts alone.
  }
  if (valueOf("STOWAGE_URL") !== demo.base_url || key === demo.api_key) return;
  console.warn(
    `The STOWAGE_API_KEY in .env is not the demo project's in ${demoFile}. If uploads fail with status 401, remove that line from .env and start again.`,
  );
}

function takeDemoKey() {
  const demo = readDemo();
  const others = env.split("\n").filter((line) => !/^\s*(export\s+)?STOWAGE_(URL|API_KEY)\s*=/.test(line));
  const text = `${others.join("\n").trimEnd()}\nSTOWAGE_URL=${demo.base_url}\nSTOWAGE_API_KEY=${demo.api_key}\n`;
  writeFileSync(ENV_FILE, text.trimStart(), { mode: 0o600 });
  console.log("Took the API key of the demo project into .env.");
}

function endWithoutKey() {
  console.error(
    "There is no API key yet. Run `npx stowage` in this folder, in another terminal, and try again.",
  );
  console.error("If your Stowage runs elsewhere, put its STOWAGE_URL and STOWAGE_API_KEY into .env.");
  process.exit(1);
}
