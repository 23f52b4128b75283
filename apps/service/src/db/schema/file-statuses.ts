import { fileStatusTraits } from "@stowage/operator-schemas";
import { type FileStatus, fileStatuses } from "@stowage/schemas";

type Trait = "counts" | "isHidden" | "isSorted";

export const statusesThat = (trait: Trait): FileStatus[] =>
  fileStatuses.filter((status) => fileStatusTraits[status][trait]);

const listOf = (trait: Trait) =>
  `(${statusesThat(trait)
    .map((status) => `'${status}'`)
    .join(", ")})`;

/** Lists of statuses for SQL, as in `status in ${COUNTED}`. A test compares the lists in db/functions with them. */
export const COUNTED = listOf("counts");
export const HIDDEN = listOf("isHidden");
export const SORTED = listOf("isSorted");
