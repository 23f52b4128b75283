/** Queues of several owners. All operations cost the same for any number of owners and items. */
export class OwnerQueues<Item> {
  /** The owner at the front has the next turn. An owner without items is not in it. */
  readonly #queues = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#queues.get(owner)?.size ?? 0;
  }

  add(owner: string, item: Item): void {
    const queue = this.#queues.get(owner);
    if (queue) queue.add(item);
    else this.#queues.set(owner, new Set([item]));
    this.#size++;
  }

  /** @returns whether the item was in the queue */
  remove(owner: string, item: Item): boolean {
    const queue = this.#queues.get(owner);
    if (!queue?.delete(item)) return false;
    if (queue.size === 0) this.#queues.delete(owner);
    this.#size--;
    return true;
  }

  /**
   * Removes and returns up to `count` items of the owner who has the next turn, the oldest first.
   *
   * @param mayTake tells whether an owner may have a turn
   */
  takeOfNextOwner(count: number, mayTake: (owner: string) => boolean = () => true): Item[] {
    for (const [owner, queue] of this.#queues) {
      if (!mayTake(owner)) continue;
      const taken = [...queue].slice(0, count);
      for (const item of taken) this.remove(owner, item);
      this.#giveLastTurn(owner, queue);
      return taken;
    }
    return [];
  }

  /**
   * Removes and returns up to `count` items: one of each owner in turns, the oldest first.
   *
   * @param mayTake tells whether an owner may have another item, beside those of this call
   */
  take(count: number, mayTake: (owner: string) => boolean = () => true): Item[] {
    const taken: Item[] = [];
    // An owner that gets another turn moves to the end of the map, so this loop reaches it again.
    for (const [owner, queue] of this.#queues) {
      if (taken.length === count) break;
      if (!mayTake(owner)) continue;
      const [item] = queue;
      taken.push(item!);
      this.remove(owner, item!);
      this.#giveLastTurn(owner, queue);
    }
    return taken;
  }

  /** Moves an owner behind all others. An owner without items is not in the map any more and stays out. */
  #giveLastTurn(owner: string, queue: Set<Item>): void {
    if (!this.#queues.delete(owner)) return;
    this.#queues.set(owner, queue);
  }
}
