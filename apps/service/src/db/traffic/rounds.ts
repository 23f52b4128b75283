/** A member knows the round in which it has its next turn. */
export interface RoundMember<Member> {
  round: Set<Member> | null;
}

/** Turns cannot be given further ahead. */
const MAX_ROUNDS_AHEAD = 255;

/**
 * The turns of a round robin as a timing wheel: a list for each of the next rounds. Adding, taking and removing a member cost the same
 * for any number of members, if few of them may not be taken.
 */
export class Rounds<Member extends RoundMember<Member>> {
  readonly #rounds = Array.from({ length: MAX_ROUNDS_AHEAD + 1 }, () => new Set<Member>());
  #current = 0;
  #size = 0;

  /** Adds a member at the end of a later round; 0 is the present one. @returns the number of rounds that it has to wait */
  add(member: Member, roundsToWait: number): number {
    const ahead = Math.min(roundsToWait, MAX_ROUNDS_AHEAD);
    member.round = this.#roundAhead(ahead);
    member.round.add(member);
    this.#size++;
    return ahead;
  }

  remove(member: Member): void {
    if (member.round?.delete(member)) this.#size--;
    member.round = null;
  }

  /** Removes and returns the next member that may be taken. Rounds without members are skipped, because no other member needs their time. */
  take(mayTake: (member: Member) => boolean): Member | undefined {
    if (this.#size === 0) return undefined;
    while (this.#roundAhead(0).size === 0) this.#current = (this.#current + 1) % this.#rounds.length;
    let left = this.#size;
    for (let ahead = 0; left > 0; ahead++) {
      const taken = this.#takeAhead(ahead, mayTake);
      if (taken) return taken;
      left -= this.#roundAhead(ahead).size;
    }
    return undefined;
  }

  /** The same, but only of the present round: its members have waited for their time. */
  takeOfRound(mayTake: (member: Member) => boolean): Member | undefined {
    return this.#takeAhead(0, mayTake);
  }

  #takeAhead(ahead: number, mayTake: (member: Member) => boolean): Member | undefined {
    for (const member of this.#roundAhead(ahead)) {
      if (!mayTake(member)) continue;
      this.remove(member);
      return member;
    }
    return undefined;
  }

  #roundAhead(ahead: number): Set<Member> {
    return this.#rounds[(this.#current + ahead) % this.#rounds.length]!;
  }
}
