/** How much there shall be. */
export interface SeedSize {
  projects: number;
  tenants: number;
  files: number;
}

export interface SeedOptions extends SeedSize {
  /** The same number makes the same database. */
  seed: number;
  /** When the newest file was asked for. */
  until: Date;
  /** Adds to a database that has projects already, in place of refusing it. */
  add: boolean;
}

export const fullSize: SeedSize = { projects: 1000, tenants: 100_000, files: 2_000_000 };

/** @throws {RangeError} for what makes no database: at least two projects, a tenant for each half, and files */
export function requireSize({ projects, tenants, files }: SeedSize): void {
  const isWhole = [projects, tenants, files].every((count) => Number.isSafeInteger(count));
  if (!isWhole || projects < 2 || tenants < 2 || files < 2)
    throw new RangeError("projects, tenants and files must be whole numbers of at least 2");
}
