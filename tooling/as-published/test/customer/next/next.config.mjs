import { join } from "node:path";

const config = {
  /** What is installed lies beside the app. */
  turbopack: { root: join(import.meta.dirname, "..") },
  trailingSlash: process.env["SLASHES"] === "added",
  skipTrailingSlashRedirect: process.env["SLASHES"] === "left alone",
};

export default config;
