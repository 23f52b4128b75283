import satisfies from "spdx-satisfies";
import type { InstalledPackage } from "./list-packages.js";

/** Licenses that let us ship a package's code under our MIT license if we pass their text on (third-party-licenses.txt). */
const ALLOWED = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
];

export interface LicenseException {
  name: string;
  license: string;
  reason: string;
}

/** Packages that we ship under another license. */
export const EXCEPTIONS: readonly LicenseException[] = [
  {
    name: "@img/sharp-libvips-*",
    license: "LGPL-3.0-or-later",
    reason:
      "A shared library, unchanged, in a file of its own that anyone can replace. Only the image decoder loads it, and none of its code is in our bundle.",
  },
  {
    name: "libheif-js",
    license: "LGPL-3.0",
    reason:
      "libheif and libde265 as WebAssembly, unchanged, in files of their own that anyone can replace. Only the image decoder loads them, and none of their code is in our bundle (docs/decisions/0057).",
  },
  {
    name: "@fontsource-variable/inter",
    license: "OFL-1.1",
    reason:
      "A font. This license allows to ship it with software; only a changed font may not keep its name.",
  },
];

/** Packages under another license that only build or test the project. None of their code is shipped. */
export const DEVELOPMENT_EXCEPTIONS: readonly LicenseException[] = [
  {
    name: "argparse",
    license: "Python-2.0",
    reason: "Permissive. Reads arguments of changesets' YAML parser.",
  },
  {
    name: "argparse",
    license: "PSF-2.0",
    reason: "Permissive. The same for the YAML parser of the OpenAPI linter.",
  },
  { name: "axe-core", license: "MPL-2.0", reason: "Runs unchanged in the browser tests." },
  { name: "lightningcss", license: "MPL-2.0", reason: "Vite minifies CSS with it; its output is ours." },
  { name: "lightningcss-*", license: "MPL-2.0", reason: "The binaries of lightningcss." },
  {
    name: "mdn-data",
    license: "CC0-1.0",
    reason: "Public domain. Data of the minifier of the documentation site.",
  },
  {
    name: "pako",
    license: "(MIT AND Zlib)",
    reason: "Permissive. Unpacks the driver of selenium-webdriver.",
  },
  { name: "railroad-diagrams", license: "CC0-1.0", reason: "Public domain. A part of the SBOM's validator." },
  { name: "spdx-exceptions", license: "CC-BY-3.0", reason: "Data of the check of licenses." },
  { name: "spdx-license-ids", license: "CC0-1.0", reason: "Data of the check of licenses." },
  { name: "spdx-ranges", license: "(MIT AND CC-BY-3.0)", reason: "Data of the check of licenses." },
  {
    name: "spawndamnit",
    license: "SEE LICENSE IN LICENSE",
    reason: "The file has the text of the MIT license.",
  },
  {
    name: "zod-to-ts",
    license: "none",
    reason: "Its LICENSE has the text of the MIT license. Astro writes types with it.",
  },
  { name: "truncate-utf8-bytes", license: "WTFPL", reason: "Permissive. A part of verdaccio." },
];

/** Describes each package whose license is neither allowed nor an exception. */
export function findRefused(
  packages: readonly InstalledPackage[],
  exceptions: readonly LicenseException[],
): string[] {
  return packages
    .filter((each) => !isAllowed(each.license) && !exceptions.some((exception) => covers(exception, each)))
    .map(({ name, version, license }) => `${name} ${version}: ${license}`);
}

/** Tells whether an exception is about this package. A `*` at the end of its name stands for the platforms of a binary. */
export function covers({ name, license }: LicenseException, each: InstalledPackage): boolean {
  const isNamed = name.endsWith("*") ? each.name.startsWith(name.slice(0, -1)) : each.name === name;
  return isNamed && each.license === license;
}

function isAllowed(license: string): boolean {
  try {
    return satisfies(license, ALLOWED);
  } catch {
    // Not an SPDX expression.
    return false;
  }
}
