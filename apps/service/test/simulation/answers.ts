import type { World } from "../fixtures/a-world.js";
import type { Scene } from "./a-scene.js";
import { REPLAYED_BYTES, type VerbName } from "./verbs.js";

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

/** Either the bytes are stored, or the upload is cancelled. */
const ENDS_OF_UPLOADS: [VerbName, VerbName][] = [
  ["complete", "cancel"],
  ["put and complete", "cancel the late one"],
  ["complete the replacement", "cancel the replacement"],
];

/** What the verbs have answered must be true. Call it before the jobs do their work. @returns what is not */
export async function findWrongAnswers(world: World, scene: Scene, answers: Answer[]): Promise<string[]> {
  const done = answers.filter(({ outcome }) => outcome === "done");
  const has = (name: VerbName) => done.some((answer) => answer.name === name);
  const wrong: string[] = [];
  for (const download of done.filter(({ name }) => name === "download"))
    for (const end of done)
      if (ENDS_DOWNLOADS.includes(end.name) && end.lastStep < download.firstStep)
        wrong.push(`a download was signed after ${end.name} had answered`);
  for (const [complete, cancel] of ENDS_OF_UPLOADS)
    if (has(complete) && has(cancel)) wrong.push(`${complete} and ${cancel} of one upload have succeeded`);
  const [stored, trashed, replaced, pending] = [
    await world.file(scene.stored),
    await world.file(scene.trashed),
    await world.file(scene.replaced),
    await world.file(scene.pending),
  ];
  if (has("hold") && (!stored || stored.status === "deleting"))
    wrong.push("a file that was put on hold is gone");
  // These may have begun, also if they have not succeeded.
  const mayEnd = answers.some(({ name }) => name === "erase" || name === "expire");
  if (has("restore") && !answers.some(({ name }) => name === "erase") && trashed?.status !== "stored")
    wrong.push("a file that was restored is gone");
  if (has("delete the replaced file") && scene.hasTrash && !mayEnd && replaced?.status !== "trashed")
    wrong.push("a file that was deleted is not in the trash");
  if (has("put again and complete") && pending?.status === "stored" && pending.size !== REPLAYED_BYTES)
    wrong.push("the bytes of a completed PUT are not recorded");
  const isGone = !stored || stored.status === "deleting";
  const isTakenBack = has("take back") && !has("publish");
  if ((isGone || isTakenBack) && (await world.deps.store.published!.head(scene.stored)))
    wrong.push("a file that was deleted or taken back can be read by strangers");
  return wrong;
}
