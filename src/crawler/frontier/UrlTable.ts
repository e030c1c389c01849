/**
 * A map from URL keys to numbers that does not keep the keys: twelve bytes an entry, however long the URL is, so that a
 * crawl of a hundred thousand pages needs hardly more memory than one of a thousand.
 *
 * A key is known by 64 bits of it. Among a million keys two have the same bits in one crawl of forty million.
 */

export interface UrlTable {
  readonly get: (key: string) => number | undefined
  readonly set: (key: string, value: number) => void
}

/** Values are whole numbers from 0. */
export const make = (): UrlTable => {
  let slots = allocate(1024)
  let count = 0

  /** Where the key is, or would be. */
  const find = ({ high, low, values, mask }: Slots, h: number, l: number): number => {
    let at = l & mask
    while (values[at] !== 0 && (high[at] !== h || low[at] !== l)) at = (at + 1) & mask
    return at
  }

  const put = (to: Slots, h: number, l: number, stored: number): boolean => {
    const at = find(to, h, l)
    const isNew = to.values[at] === 0
    to.high[at] = h
    to.low[at] = l
    to.values[at] = stored
    return isNew
  }

  const grow = () => {
    const { high, low, values } = slots
    const larger = allocate(values.length * 2)
    values.forEach((stored, at) => {
      if (stored !== 0) put(larger, high[at] ?? 0, low[at] ?? 0, stored)
    })
    slots = larger
  }

  return {
    get: (key) => {
      const [h, l] = hash(key)
      const stored = slots.values[find(slots, h, l)] ?? 0
      return stored === 0 ? undefined : stored - 1
    },
    set: (key, value) => {
      const [h, l] = hash(key)
      if (put(slots, h, l, value + 1)) count += 1
      if (count * 2 > slots.values.length) grow()
    }
  }
}

interface Slots {
  readonly high: Uint32Array
  readonly low: Uint32Array
  /** One more than the value; 0: free. */
  readonly values: Uint32Array
  readonly mask: number
}

const allocate = (size: number): Slots => ({
  high: new Uint32Array(size),
  low: new Uint32Array(size),
  values: new Uint32Array(size),
  mask: size - 1
})

/** Two halves that are mixed apart and then into each other (the constants are those of MurmurHash3 and its kin). */
const hash = (key: string): readonly [high: number, low: number] => {
  let h = 0xdeadbeef
  let l = 0x41c6ce57
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    h = Math.imul(h ^ code, 2_654_435_761)
    l = Math.imul(l ^ code, 1_597_334_677)
  }
  h = Math.imul(h ^ (h >>> 16), 2_246_822_507) ^ Math.imul(l ^ (l >>> 13), 3_266_489_909)
  l = Math.imul(l ^ (l >>> 16), 2_246_822_507) ^ Math.imul(h ^ (h >>> 13), 3_266_489_909)
  return [h >>> 0, l >>> 0]
}
