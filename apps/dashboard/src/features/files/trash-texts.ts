import { formatCount } from "../../components/format.js";
import { countFiles } from "../../components/files/files-texts.js";

/** Texts for moving files to the trash, restoring them, and putting them on hold. */
export const trash = {
  trashTitle: (n: number) => `Move ${countFiles(n)} to the trash?`,
  trashMany: (n: number) => `Move ${countFiles(n)} to the trash`,
  trashHint: (n: number, days: number) => {
    const [it, counts] = n === 1 ? ["It", "it counts"] : ["They", "they count"];
    return `${it} can be restored for ${days === 1 ? "1 day" : `${formatCount(days)} days`}. Until then, ${counts} against the quota. Download URLs that exist already work until they expire.`;
  },
  trashed: (n: number) => `${countFiles(n)} ${n === 1 ? "was" : "were"} moved to the trash.`,
  purgeTitle: (n: number) => `Delete ${countFiles(n)} for good?`,
  keptOnHold: (n: number) =>
    n === 1 ? "1 file is on hold and was kept." : `${formatCount(n)} files are on hold and were kept.`,
  restoreOne: "Restore",
  restoreMany: (n: number) => `Restore ${countFiles(n)}`,
  restored: (n: number) => `${countFiles(n)} ${n === 1 ? "was" : "were"} restored.`,
  changedMeanwhile: (n: number) =>
    n === 1 ? "1 file has changed in the meantime." : `${formatCount(n)} files have changed in the meantime.`,
  hold: "Put on hold",
  release: "Release hold",
  held: (n: number) =>
    `${countFiles(n)} ${n === 1 ? "is" : "are"} on hold. Nothing deletes ${n === 1 ? "it" : "them"}.`,
  released: (n: number) => `${countFiles(n)} ${n === 1 ? "was" : "were"} released.`,
} as const;
