import type { Load } from "../../load/load.js";
import { startLoad } from "../../load/start-load.js";
import { summarise } from "../../measure/statistics.js";
import { ratios, takeTurns } from "../../measure/take-turns.js";
import { createProjects } from "../../processes/api-keys.js";
import type { ServiceBuild } from "../../processes/service-build.js";
import { startDatabase } from "../../processes/start-database.js";
import type { Figure, RowTools } from "../../row.js";
import { uploads } from "../upload-stage.js";
import { against, BASE, both, middle, ROUNDS, startVersion, type Versions, WARM_UPS } from "./versions.js";

const PROJECTS = 100;

/** Uploads per second, and those of many projects at once. */
export async function measureUploads(builds: Versions<ServiceBuild>, tools: RowTools): Promise<Figure[]> {
  const loader = await startLoad(tools);
  const sides = await both(builds, async (build) => {
    const version = await startVersion(build, await startDatabase(tools), tools);
    return { ...version, keys: await createProjects(version.databaseUrl, PROJECTS) };
  });
  const speeds = await takeTurns(
    await both(sides, async ({ port, pid, apiKey, keys }, name) => async () => {
      const drive = async (load: Load) => (await loader.drive(pid, load)).perSecond;
      const ofProjects = (used: string[]) => uploads("{key}", port, { keys: used, connections: PROJECTS });
      const alone = await drive(uploads(apiKey, port));
      const one = await drive(ofProjects(keys.slice(0, 1)));
      const all = await drive(ofProjects(keys));
      tools.say(
        `${name}: ${alone.toFixed(0)} uploads/s; over ${PROJECTS} connections ${one.toFixed(0)}, of as many projects ${all.toFixed(0)}`,
      );
      return { alone, one, all };
    }),
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  const of = (name: "older" | "newer", key: "alone" | "one" | "all") => speeds[name].map((each) => each[key]);
  const share = (name: "older" | "newer") => ratios(of(name, "all"), of(name, "one"));
  return [
    {
      measured: "uploads over 64 connections",
      against,
      ratio: summarise(ratios(of("newer", "alone"), of("older", "alone"))),
      target: { atLeast: 1.2 },
      details: `${middle(of("newer", "alone"), 0)} and ${middle(of("older", "alone"), 0)} a second`,
    },
    {
      measured: `uploads of ${PROJECTS} projects at once`,
      against: "of one project over as many connections",
      ratio: summarise(share("newer")),
      target: { atLeast: 0.95 },
      details: `${middle(of("newer", "all"), 0)} and ${middle(of("newer", "one"), 0)} a second; ${BASE}: ${middle(share("older"), 3)}, ${middle(of("older", "all"), 0)} and ${middle(of("older", "one"), 0)} a second`,
    },
  ];
}
