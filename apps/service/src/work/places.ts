/** Places that owners share, such as projects: one of them takes all but one, so that its slow work never keeps another one waiting. */
export interface Places<Owner> {
  /** Takes a place. @param owner null: may take the last one too @returns false if there is none for this owner */
  take(owner: Owner | null): boolean;
  /** Gives back a place that was taken. */
  give(owner: Owner | null): void;
}

/** @param count if it is 1, each owner may take it */
export function createPlaces<Owner>(count: number): Places<Owner> {
  const held = new Map<Owner, number>();
  const most = Math.max(1, count - 1);
  let free = count;
  return {
    take(owner) {
      if (free === 0) return false;
      if (owner !== null) {
        const own = held.get(owner) ?? 0;
        if (own >= most) return false;
        held.set(owner, own + 1);
      }
      free--;
      return true;
    },
    give(owner) {
      free++;
      if (owner === null) return;
      const own = held.get(owner)! - 1;
      if (own > 0) held.set(owner, own);
      else held.delete(owner);
    },
  };
}
