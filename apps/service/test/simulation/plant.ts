import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { World } from "../fixtures/a-world.js";
import { type PlantedRace, plantedRaces } from "./planted-races.js";

const src = fileURLToPath(new URL("../../src/", import.meta.url));

/** The fault that PLANT names by its number; undefined without it. */
export function plantedRace(): PlantedRace | undefined {
  const number = process.env["PLANT"];
  return number === undefined ? undefined : plantedRaces[Number(number)];
}

/** A plugin of Vite that puts the fault into the module that it belongs to. */
export function plantInModules() {
  const planted = plantedRace();
  return {
    name: "planted race",
    enforce: "pre" as const,
    transform: (code: string, id: string) =>
      planted && id === src + planted.file ? plant(code, planted) : undefined,
  };
}

/** Puts the fault into the SQL function that it belongs to. */
export async function plantInDatabase(world: World, planted: PlantedRace | undefined): Promise<void> {
  if (!planted?.file.endsWith(".sql")) return;
  await world.rows(plant(readFileSync(src + planted.file, "utf8"), planted));
}

/** @throws {Error} if the code has changed so that the fault has no place any more */
export function plant(code: string, { name, find, replace }: PlantedRace): string {
  const parts = code.split(find);
  if (parts.length !== 2) throw new Error(`"${name}" has ${parts.length - 1} places instead of one`);
  return parts.join(replace);
}
