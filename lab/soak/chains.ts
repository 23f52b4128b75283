import type { SoakFile } from "./ledger.js";

/** Whether no operation uses the file, or another one of its chain. */
export const isFree = ({ isBusy, chain }: SoakFile): boolean =>
  !isBusy && !(chain && [chain.file, ...chain.versions].some((file) => file.isBusy));

/**
 * Makes a file that went to the trash a version of the one that replaced it.
 *
 * @param isSure false: it may have been replaced or not
 */
export function addVersion(
  old: SoakFile,
  file: SoakFile,
  { isSure, maxVersions }: { isSure: boolean; maxVersions: number },
): void {
  const chain = old.chain ?? { file: old, versions: [], isSure: true };
  if (chain.file === old) chain.file = file;
  if (!chain.versions.includes(old)) chain.versions.unshift(old);
  chain.isSure &&= isSure;
  old.chain = chain;
  file.chain = chain;
  // The time of its replacement decides which one is the oldest, and the clocks of the replicas differ.
  if (chain.versions.length > maxVersions) for (const version of chain.versions) mayEnd(version);
}

/** A version that was restored by itself is a file of its own. */
export function leaveChain(file: SoakFile): void {
  const { chain } = file;
  if (!chain || chain.file === file) return;
  chain.versions = chain.versions.filter((version) => version !== file);
  file.chain = null;
}

/** The versions of a file that is deleted for good end with it. */
export function endVersions(file: SoakFile): void {
  const { chain } = file;
  if (!chain || (chain.isSure && chain.file !== file)) return;
  for (const other of [chain.file, ...chain.versions]) if (other !== file) mayEnd(other);
}

/** The sweeper deletes it at some time. */
function mayEnd({ states }: SoakFile): void {
  if (states.has("trashed")) states.add("gone");
}
