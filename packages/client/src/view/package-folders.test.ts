import { expect, test } from "vitest";
import { isPackageFolder } from "./package-folders.js";

test.each([
  "Talk.key",
  "Notes.pages",
  "Budget.NUMBERS",
  "Safari.app",
  "Letter.rtfd",
  "Photos Library.photoslibrary",
  "My App.xcodeproj",
  "Song.band",
  "Icon.sketch",
  "v1.2.app",
])("%s is a package", (name) => expect(isPackageFolder(name)).toBe(true));

test.each([
  "key",
  ".app",
  ".pages",
  "keys",
  "photos.2026",
  "my.project",
  "node_modules",
  "example.com",
  "lib.framework",
  "pages",
  "Talk.key.old",
])("%s is an ordinary folder", (name) => expect(isPackageFolder(name)).toBe(false));
