/** One measurement of one side; a larger one need not be a better one. */
export type Side = () => Promise<number>;

/**
 * Measures the sides in turns, A B, B A, A B, …: whatever else the machine does meets all of them alike, and none is always the
 * one that comes after another.
 *
 * @param options.warmUps rounds that are run first and thrown away
 * @returns of each side its measurements, those of one round at the same place
 */
export async function takeTurns<Name extends string>(
  sides: Record<Name, Side>,
  { rounds, warmUps = 1 }: { rounds: number; warmUps?: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[name]();
      if (round >= warmUps) measured[name].push(value);
    }
  }
  return measured;
}

/** One side in parts of the other, round by round. */
export function ratios(one: number[], other: number[]): number[] {
  return one.map((value, round) => value / other[round]!);
}
