import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { World } from "../fixtures/a-world.js";
import { type PlantedRace, plantedRaces } from "./planted-races.js";

const src = fileURLToPath(new URL("../../src/", import.meta.url));
const isSql = ({ file }: PlantedRace) => file.endsWith(".sql");
const inSource = plantedRaces.filter((race) => !isSql(race));

/** The faults that PLANTS names by their numbers. */
export const chosenRaces: PlantedRace[] = (process.env["PLANTS"]?.split(" ") ?? []).map(
  (number) => plantedRaces[Number(number)]!,
);

/**
 * A plugin of Vite for PLANTS. Each module with faults is loaded as it is and once with each fault, and its functions run the version that
 * {@link plantInModules} names. So one process can look for all of them.
 */
export function loadWithFaults() {
  return {
    name: "planted races",
    enforce: "pre" as const,
    transform(code: string, id: string) {
      if (chosenRaces.length === 0) return;
      const [path, version] = id.split("?plant=");
      const faults = inSource.filter(({ file }) => src + file === path);
      if (version === undefined) return faults.length > 0 ? dispatch(id, code, faults) : undefined;
      const race = plantedRaces[Number(version)];
      return race ? plant(code, race) : undefined;
    },
  };
}

/** A module whose functions run one of the versions. */
function dispatch(id: string, code: string, faults: PlantedRace[]): string {
  const numbers = faults.map((race) => plantedRaces.indexOf(race));
  const functions = [...code.matchAll(/^export (?:(?:async )?function (\w+)|const (\w+) = \()/gm)];
  return [
    ...[NONE, ...numbers].map((n) => `import * as version${n} from "${id}?plant=${n}";`),
    `export * from "${id}?plant=${NONE}";`,
    `const versions = { ${numbers.map((n) => `${n}: version${n}`).join(", ")} };`,
    `const current = () => versions[globalThis.plantedRace] ?? version${NONE};`,
    ...functions.map(
      ([, a, b]) => `export function ${a ?? b}(...args) { return current().${a ?? b}(...args); }`,
    ),
  ].join("\n");
}

const NONE = plantedRaces.length;

/** From now on the modules have this fault. @param race @default none */
export function plantInModules(race?: PlantedRace): void {
  if (race && !isSql(race) && !chosenRaces.includes(race)) throw new Error(`PLANTS has no "${race.name}"`);
  Object.assign(globalThis, { plantedRace: race && plantedRaces.indexOf(race) });
}

/** Puts the fault into the SQL function that it belongs to. @returns a function that puts the right code back */
export async function plantInDatabase(world: World, race: PlantedRace): Promise<() => Promise<void>> {
  if (!isSql(race)) return () => Promise.resolve();
  const code = readFileSync(src + race.file, "utf8");
  await world.rows(plant(code, race));
  return async () => void (await world.rows(code));
}

/** @throws {Error} if the code has changed so that the fault has no place any more */
export function plant(code: string, { name, find, replace }: PlantedRace): string {
  const parts = code.split(find);
  if (parts.length !== 2) throw new Error(`"${name}" has ${parts.length - 1} places instead of one`);
  return parts.join(replace);
}
