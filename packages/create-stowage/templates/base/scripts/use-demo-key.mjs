// Runs before the development server. While .env has no API key, this takes the key of the demo project, which `npx stowage` writes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const ENV_FILE = ".env";
const DEMO_FILES = [".stowage/demo.json", "../.stowage/demo.json"];

const env = existsSync(ENV_FILE) ? readFileSync(ENV_FILE, "utf8") : "";
if (!process.env.STOWAGE_API_KEY && !/^[ \t]*(export[ \t]+)?STOWAGE_API_KEY[ \t]*=[ \t]*\S/m.test(env)) {
  const demoFile = DEMO_FILES.find((file) => existsSync(file));
  if (demoFile === undefined) {
    console.error(
      "There is no API key yet. Run `npx stowage` in this folder, in another terminal, and try again.",
    );
    console.error("If your Stowage runs elsewhere, put its STOWAGE_URL and STOWAGE_API_KEY into .env.");
    process.exit(1);
  }
  const demo = JSON.parse(readFileSync(demoFile, "utf8"));
  const others = env.split("\n").filter((line) => !/^\s*(export\s+)?STOWAGE_(URL|API_KEY)\s*=/.test(line));
  const text = `${others.join("\n").trimEnd()}\nSTOWAGE_URL=${demo.base_url}\nSTOWAGE_API_KEY=${demo.api_key}\n`;
  writeFileSync(ENV_FILE, text.trimStart(), { mode: 0o600 });
  console.log("Took the API key of the demo project into .env.");
}
