/** @returns the rows in the same order, with at most `max` of each owner */
export function takeShares<Row, Owner>(rows: Row[], max: number, ownerOf: (row: Row) => Owner): Row[] {
  const taken = new Map<Owner, number>();
  return rows.filter((row) => {
    const count = taken.get(ownerOf(row)) ?? 0;
    taken.set(ownerOf(row), count + 1);
    return count < max;
  });
}
