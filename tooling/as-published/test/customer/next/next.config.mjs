import { join } from "node:path";

const slashes = process.env["SLASHES"];

const config = {
  /** The dependencies are installed in the folder that contains the app. */
  turbopack: { root: join(import.meta.dirname, "..") },
  /** The app is the same in all builds, so only the build with Next's default checks its types. */
  typescript: { ignoreBuildErrors: slashes !== "removed" },
  trailingSlash: slashes === "added",
  skipTrailingSlashRedirect: slashes === "left alone",
};

export default config;
