/**
 * A map from URL keys to numbers that does not keep the keys: twelve bytes an entry, however long the URL is. So a
 * crawl of a hundred thousand pages needs hardly more memory than one of a thousand.
 *
 * A key is represented by 64 bits of its hash. Among a million keys, two have the same bits in one crawl of forty
 * million.
 *
 * It grows without a long pause: each new key also moves a few entries of the smaller table.
 */

interface UrlTable {
  readonly get: (key: string) => number | undefined
  readonly set: (key: string, value: number) => void
}

/** Values are whole numbers from 0. */
export const create = (): UrlTable => {
  let slots = allocate(1024)
  let count = 0
  /** The smaller table while it is moved, and how far that is. It is searched until all of it is moved. */
  let before: Slots | undefined
  let moved = 0

  /** Where the key is, or would be. */
  const find = ({ high, low, values, mask }: Slots, h: number, l: number): number => {
    let at = l & mask
    while (values[at] !== 0 && (high[at] !== h || low[at] !== l)) at = (at + 1) & mask
    return at
  }

  const lookUp = (h: number, l: number): number => {
    const stored = slots.values[find(slots, h, l)] ?? 0
    return stored !== 0 || before === undefined ? stored : (before.values[find(before, h, l)] ?? 0)
  }

  const put = (h: number, l: number, stored: number) => {
    const at = find(slots, h, l)
    slots.high[at] = h
    slots.low[at] = l
    slots.values[at] = stored
  }

  /** An entry that already has a newer value is not moved. */
  const move = ({ high, low, values }: Slots) => {
    const end = Math.min(values.length, moved + step)
    for (; moved < end; moved++) {
      const stored = values[moved] ?? 0
      const h = high[moved] ?? 0
      const l = low[moved] ?? 0
      if (stored !== 0 && slots.values[find(slots, h, l)] === 0) put(h, l, stored)
    }
    if (moved === values.length) before = undefined
  }

  const grow = () => {
    before = slots
    moved = 0
    slots = allocate(slots.values.length * 2)
  }

  return {
    get: (key) => {
      const stored = lookUp(...hash(key))
      return stored === 0 ? undefined : stored - 1
    },
    set: (key, value) => {
      const [h, l] = hash(key)
      if (lookUp(h, l) === 0) count += 1
      put(h, l, value + 1)
      if (before !== undefined) move(before)
      else if (count * 2 > slots.values.length) grow()
    }
  }
}

/** Entries that are moved with each key: the move ends long before the table is full again. */
const step = 16

interface Slots {
  readonly high: Uint32Array
  readonly low: Uint32Array
  /** One more than the value; 0: the slot is free. */
  readonly values: Uint32Array
  readonly mask: number
}

const allocate = (size: number): Slots => ({
  high: new Uint32Array(size),
  low: new Uint32Array(size),
  values: new Uint32Array(size),
  mask: size - 1
})

/**
 * Two halves, mixed separately and then into each other (the constants are those of MurmurHash3 and similar hashes).
 */
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
