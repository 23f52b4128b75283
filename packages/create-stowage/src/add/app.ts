import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CreateError } from "../create-error.js";
import { DOCS } from "../package-root.js";
import { readTextIfExists } from "../read-text.js";

/** An app that Stowage can be added to. */
export type App = NextApp | ExpressApp;

interface AnyApp {
  /** Names in dependencies and devDependencies of package.json. */
  dependencies: ReadonlySet<string>;
  /** Where new code belongs: "src/" or "". */
  source: "src/" | "";
}

export interface NextApp extends AnyApp {
  kind: "next";
  /** next.config sets a basePath, which the page's calls need too. */
  hasBasePath: boolean;
}

export interface ExpressApp extends AnyApp {
  kind: "express";
  language: "TypeScript" | "ES modules" | "CommonJS";
  /** The file that creates the Express app, if it is in a usual place. */
  entry: { path: string; isMounted: boolean } | undefined;
  /** Vite and React are there, so the page can be added too. */
  hasReactPage: boolean;
}

const NEXT_CONFIGS = ["next.config.ts", "next.config.mjs", "next.config.js", "next.config.mts"];
const ENTRY_NAMES = ["server", "app", "index", "main"];
const ENTRY_EXTENSIONS = ["ts", "mts", "js", "mjs", "cjs"];

/** Finds out what kind of app is in the folder. @throws {CreateError} with the reason, if Stowage cannot be added to it */
export async function findApp(folder: string): Promise<App> {
  const manifest = await readManifest(folder);
  const dependencies = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
  const isTypeScript = (await readTextIfExists(join(folder, "tsconfig.json"))) !== undefined;
  if (dependencies.has("next")) return nextApp(folder, dependencies, isTypeScript);
  if (dependencies.has("express")) return expressApp(folder, manifest, dependencies, isTypeScript);
  throw new CreateError(
    `package.json names neither next nor express, and "add" knows no other framework. ${byHand("your framework")}`,
  );
}

interface Manifest {
  type?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readTextIfExists(join(folder, "package.json"));
  if (text === undefined) {
    throw new CreateError(
      `${folder} has no package.json. Run this in the folder of your app, or create a new one without "add".`,
    );
  }
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    throw new CreateError(`${join(folder, "package.json")} is not valid JSON.`);
  }
}

async function nextApp(folder: string, dependencies: Set<string>, isTypeScript: boolean): Promise<NextApp> {
  // Next itself looks for app/ first, and for src/app/ only without it.
  const source = (await isFolder(folder, "app"))
    ? ""
    : (await isFolder(folder, "src/app"))
      ? "src/"
      : undefined;
  if (source === undefined) {
    throw new CreateError(
      `This Next app has no app/ folder: "add" needs the app router. ${byHand("the pages router")}`,
    );
  }
  if (!isTypeScript) {
    throw new CreateError(
      `This Next app has no tsconfig.json, and "add" writes TypeScript. ${byHand("JavaScript")}`,
    );
  }
  const configs = await Promise.all(NEXT_CONFIGS.map((name) => readTextIfExists(join(folder, name))));
  const config = configs.find((text) => text !== undefined) ?? "";
  if (/\boutput:\s*["']export["']/.test(config)) {
    throw new CreateError(
      `next.config has output: "export", so this app has no server that could hold the API key. ${byHand("another backend")}`,
    );
  }
  return { kind: "next", dependencies, source, hasBasePath: /\bbasePath\b/.test(config) };
}

async function expressApp(
  folder: string,
  { type }: Manifest,
  dependencies: Set<string>,
  isTypeScript: boolean,
): Promise<ExpressApp> {
  return {
    kind: "express",
    dependencies,
    source: (await isFolder(folder, "src")) ? "src/" : "",
    language: isTypeScript ? "TypeScript" : type === "module" ? "ES modules" : "CommonJS",
    entry: await findEntry(folder),
    hasReactPage: dependencies.has("react") && dependencies.has("vite"),
  };
}

async function findEntry(folder: string): Promise<ExpressApp["entry"]> {
  for (const place of ["", "src/", "server/", "src/server/"]) {
    for (const name of await namesIn(folder, place)) {
      const text = (await readTextIfExists(join(folder, place, name))) ?? "";
      if (/\bexpress\(\)/.test(text))
        return { path: `${place}${name}`, isMounted: text.includes("/api/stowage") };
    }
  }
  return undefined;
}

/** The files of a folder that may create the Express app, the most usual name first. */
async function namesIn(folder: string, place: string): Promise<string[]> {
  const names = await readdir(join(folder, place)).catch((): string[] => []);
  return ENTRY_NAMES.flatMap((name) => ENTRY_EXTENSIONS.map((extension) => `${name}.${extension}`)).filter(
    (name) => names.includes(name),
  );
}

async function isFolder(folder: string, path: string): Promise<boolean> {
  const found = await stat(join(folder, path)).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

function byHand(what: string): string {
  return `For ${what}, follow the guide of the helper: ${DOCS.helper}`;
}
