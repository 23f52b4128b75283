import type { Plugin } from "rolldown";

/** A package whose code a bundle contains. */
export interface BundledPackage {
  name: string;
  version: string;
  /** The `license` of its package.json. */
  license: string;
}

/**
 * A plugin for Rolldown and Vite. Beside the bundle it writes `third-party.json`, the packages whose code the bundle contains
 * ({@link BundledPackage}[], sorted), and `third-party-licenses.txt`, their license texts.
 */
export function thirdParty(): Plugin;

/**
 * The contents of both files, for a build that is no single bundle.
 *
 * @param modules the paths of the modules. A package's own folder is named by any file in it
 */
export function recordOf(
  modules: Iterable<string>,
): Record<"third-party.json" | "third-party-licenses.txt", string>;
