import { findWrongCommands } from "./claims/commands.js";
import { findWrongDecisions } from "./claims/decisions.js";
import { findWrongFolders } from "./claims/folders.js";
import { findMissingPaths } from "./claims/paths.js";
import { findUnknownSettings } from "./claims/settings.js";
import type { Repository } from "./repository.js";

/** Finds what the documents say and the code does not have: one sentence for each. */
export function findFalseClaims(repository: Repository): string[] {
  return [
    ...findUnknownSettings(repository),
    ...findWrongFolders(repository),
    ...findWrongCommands(repository),
    ...findMissingPaths(repository),
    ...findWrongDecisions(repository),
  ];
}
