/** Measures one side once. A larger value is not always better. */
export type Side<Value = number> = () => Promise<Value>;

/**
 * Measures the sides in turns, A B, B A, A B, …, so other load affects all sides alike and no side always follows the same one.
 *
 * @param options.warmUps the number of first rounds that are not counted
 * @param options.onRound called before each round
 * @returns the measurements of each side; the same index is the same round
 */
export async function takeTurns<Name extends string, Value = number>(
  sides: Record<Name, Side<Value>>,
  {
    rounds,
    warmUps = 1,
    onRound = () => {},
  }: { rounds: number; warmUps?: number; onRound?: (round: number) => void },
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(sides) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  for (let round = 0; round < warmUps + rounds; round++) {
    onRound(round);
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[name]();
      if (round >= warmUps) measured[name].push(value);
    }
  }
  return measured;
}

/** Divides one side by the other, round by round. */
export function ratios(one: number[], other: number[]): number[] {
  return one.map((value, round) => value / other[round]!);
}
