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
