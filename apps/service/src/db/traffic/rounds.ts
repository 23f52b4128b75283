/** A member knows the round in which it has its next turn. */
export interface RoundMember<Member> {
  round: Set<Member> | null;
}

/** Turns cannot be given further ahead. */
const MAX_ROUNDS_AHEAD = 255;

/**
 * The turns of a round robin as a timing wheel: a list for each of the next rounds. Adding, taking and removing a member cost the same
 * for any number of members.
 */
export class Rounds<Member extends RoundMember<Member>> {
  readonly #rounds = Array.from({ length: MAX_ROUNDS_AHEAD + 1 }, () => new Set<Member>());
  #current = 0;
  #size = 0;

  /** Adds a member at the end of a later round; 0 is the present one. @returns the number of rounds that it has to wait */
  add(member: Member, roundsToWait: number): number {
    const ahead = Math.min(roundsToWait, MAX_ROUNDS_AHEAD);
    member.round = this.#rounds[(this.#current + ahead) % this.#rounds.length]!;
    member.round.add(member);
    this.#size++;
    return ahead;
  }

  remove(member: Member): void {
    if (member.round?.delete(member)) this.#size--;
    member.round = null;
  }

  /** Removes and returns the next member. Rounds without members are skipped, because no other member needs their time. */
  take(): Member | undefined {
    if (this.#size === 0) return undefined;
    while (this.#rounds[this.#current]!.size === 0) this.#current = (this.#current + 1) % this.#rounds.length;
    const [member] = this.#rounds[this.#current]!;
    this.remove(member!);
    return member;
  }
}
