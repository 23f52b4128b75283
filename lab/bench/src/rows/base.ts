import { buildOlder, type ServiceBuild, thisBuild } from "../processes/service-build.js";
import type { Figure, Row, RowTools } from "../row.js";
import { withTools } from "../with-tools.js";
import { measureCitus } from "./base/citus.js";
import { measureFairness } from "./base/fairness.js";
import { measureFiles } from "./base/files.js";
import { measureUploads } from "./base/uploads.js";
import { BASE, type Versions } from "./base/versions.js";

/** Only the parts with these names, separated by commas. */
const PARTS = process.env["PARTS"] ?? "";

/** This version compared with an older one from the history of git, in turns. Each has its own service and PostgreSQL. */
export const baseRow: Row = {
  name: "base",
  async run(tools) {
    tools.say(`building ${BASE}, unless it was built before`);
    const builds = { older: await buildOlder(BASE), newer: thisBuild };
    const figures: Figure[] = [];
    for (const [name, part] of Object.entries(parts)) {
      if (PARTS !== "" && !PARTS.split(",").includes(name)) continue;
      // Stopped before the next one starts, because idle processes use CPU too.
      figures.push(...(await withTools(tools.say, (own) => part(builds, own))));
    }
    return figures;
  },
};

const parts: Record<string, (builds: Versions<ServiceBuild>, tools: RowTools) => Promise<Figure[]>> = {
  uploads: measureUploads,
  files: measureFiles,
  fairness: measureFairness,
  citus: measureCitus,
};
