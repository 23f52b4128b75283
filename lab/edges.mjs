// `pnpm lab edges`: restarts, the live feed, cached files and a PUT of 50 MB through each proxy and cache that Debian packages, with the
// files of deploy/. Arguments are passed to vitest: `edges -t varnish`.
import { installDebianPackages } from "../scripts/debian-packages.mjs";
import { runLab } from "./run-lab.mjs";

installDebianPackages(["caddy", "apache2", "lighttpd", "varnish", "squid", "h2o", "trafficserver"]);
process.exitCode = runLab("edges", process.argv.slice(2));
