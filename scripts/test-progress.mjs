import { existsSync, readFileSync } from "node:fs";

const INTERVAL_MS = 20_000;

/**
 * Prints every 20 seconds which suites run and how far each is.
 *
 * @param suites each with its `name`, and the `progress` file that vitest.progress.ts writes
 * @returns a function that ends it
 */
export function showProgress(suites) {
  const startedAt = Date.now();
  const timer = setInterval(() => console.log(describe(suites, Date.now() - startedAt)), INTERVAL_MS);
  return () => clearInterval(timer);
}

function describe(suites, elapsedMs) {
  const started = suites.flatMap(({ name, progress }) => readProgress(name, progress));
  const running = started.filter(({ files, ended }) => ended < files);
  const failed = started.flatMap((suite) => suite.failed.map((file) => `${suite.name}/${file}`));
  const parts = running.map(({ name, files, ended }) => `${name} ${ended} of ${files} files`);
  const minutes = Math.floor(elapsedMs / 60_000);
  const seconds = String(Math.floor(elapsedMs / 1000) % 60).padStart(2, "0");
  const done = `${started.length - running.length} of ${suites.length} suites ended`;
  const failures = failed.length > 0 ? `; FAILED: ${failed.join(", ")}` : "";
  return `[${minutes}:${seconds}] ${done}${failures}; running: ${parts.join(", ") || "checks and builds"}`;
}

/** @returns an empty list if the suite has not started, or writes its file at this moment */
function readProgress(name, path) {
  if (!existsSync(path)) return [];
  try {
    return [{ name, ...JSON.parse(readFileSync(path, "utf8")) }];
  } catch {
    return [];
  }
}
