/** The size of a seeded database. */
export interface SeedSize {
  projects: number;
  tenants: number;
  files: number;
}

export interface SeedOptions extends SeedSize {
  /** The same seed makes the same database. */
  seed: number;
  /** The creation time of the newest file. */
  until: Date;
  /** Allows a database that already has projects. */
  add: boolean;
}

export const fullSize: SeedSize = { projects: 1000, tenants: 100_000, files: 2_000_000 };

/** @throws {RangeError} for less than two projects, tenants or files */
export function requireSize({ projects, tenants, files }: SeedSize): void {
  const isWhole = [projects, tenants, files].every((count) => Number.isSafeInteger(count));
  if (!isWhole || projects < 2 || tenants < 2 || files < 2)
    throw new RangeError("projects, tenants and files must be whole numbers of at least 2");
}
