import type { World } from "../fixtures/a-world.js";
import type { Scene } from "./a-scene.js";
import type { VerbName } from "./verbs.js";

/** What a verb has answered, and between which steps of the schedule it ran. */
export interface Answer {
  name: VerbName;
  /** `done`, or the code of its error. */
  outcome: string;
  firstStep: number;
  lastStep: number;
}

/** After these the stored file of a scene has no download. */
const ENDS_DOWNLOADS: VerbName[] = ["delete", "purge", "verdict", "erase"];

/** What the verbs have answered must be true. Call it before the jobs do their work. @returns what is not */
export async function findWrongAnswers(world: World, scene: Scene, answers: Answer[]): Promise<string[]> {
  const done = answers.filter(({ outcome }) => outcome === "done");
  const has = (name: VerbName) => done.some((answer) => answer.name === name);
  const wrong: string[] = [];
  for (const download of done.filter(({ name }) => name === "download"))
    for (const end of done)
      if (ENDS_DOWNLOADS.includes(end.name) && end.lastStep < download.firstStep)
        wrong.push(`a download was signed after ${end.name} had answered`);
  const held = await world.file(scene.stored);
  if (has("hold") && (!held || held.status === "deleting")) wrong.push("a file that was put on hold is gone");
  const restored = await world.file(scene.trashed);
  if (has("restore") && !answers.some(({ name }) => name === "erase") && restored?.status !== "stored")
    wrong.push("a file that was restored is gone");
  return wrong;
}
