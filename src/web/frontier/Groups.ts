/**
 * URL numbers, joined into groups of one page each. It holds only numbers that are unusual, not all of a crawl.
 */
export class Groups {
  private readonly parents = new Map<number, number>()

  /** Gives the number a group of its own, unless it is in one. */
  notice(seq: number): void {
    if (!this.parents.has(seq)) this.parents.set(seq, seq)
  }

  join(one: number, other: number): void {
    this.notice(one)
    this.notice(other)
    const [a, b] = [this.rootOf(one), this.rootOf(other)]
    if (a !== b) this.parents.set(Math.max(a, b), Math.min(a, b))
  }

  /** All groups, each with its numbers in order. */
  all(): ReadonlyArray<ReadonlyArray<number>> {
    const groups = new Map<number, Array<number>>()
    for (const seq of [...this.parents.keys()].toSorted((a, b) => a - b)) {
      const root = this.rootOf(seq)
      const group = groups.get(root)
      if (group === undefined) groups.set(root, [seq])
      else group.push(seq)
    }
    return [...groups.values()]
  }

  private rootOf(seq: number): number {
    let at = seq
    for (let parent = this.parents.get(at); parent !== undefined && parent !== at; parent = this.parents.get(at)) {
      const above = this.parents.get(parent) ?? parent
      this.parents.set(at, above)
      at = parent
    }
    return at
  }
}
