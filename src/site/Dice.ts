/**
 * Dice that fall the same way whenever they are made from the same keys. Every thing of the site has dice of its own, keyed by
 * what it is ("product", 17). So adding a thing, or asking in another order, changes nothing else.
 */
export type Dice = ReturnType<typeof make>

export const make = (...keys: ReadonlyArray<string | number>) => {
  let state = hash(keys.join("\u0000"))
  /** From 0 to below 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  /** A whole number; both ends may fall. */
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    int,
    pick: <A>(list: readonly [A, ...ReadonlyArray<A>]): A => list[int(0, list.length - 1)] ?? list[0],
    /** Some of them, each at most once, in the order they fell. */
    sample: <A>(list: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
      const rest = [...list]
      return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(int(0, rest.length - 1), 1)).flat()
    },
    chance: (probability: number) => next() < probability
  }
}

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
