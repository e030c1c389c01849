/**
 * The sum of the hashes of rows in SQLite, which has no hash of its own: an aggregate that this process gives each connection. It has 64
 * bits for each row, and is the same on each machine.
 */
import type { DatabaseSync } from "node:sqlite"
import type { HashedCell } from "#engine/SqlDialect"

/** SQLite takes no more arguments than a thousand; the hash of wider rows is not known. */
const mostCells = 900

export const rowsHash = (cells: ReadonlyArray<HashedCell>): string => {
  const names = JSON.stringify(cells.map(({ name }) => name)).replaceAll("'", "''")
  const values = cells.map(({ value }) => `, ${value}`).join("")
  return cells.length > mostCells ? "NULL" : `millrace_rows_hash('${names}'${values})`
}

/** Gives a connection the aggregate. */
export const register = (database: DatabaseSync): void => {
  const seedsOf = new Map<string, ReadonlyArray<number>>()
  const known = (names: string): ReadonlyArray<number> => {
    const found: unknown = JSON.parse(names)
    const seeds = Array.isArray(found) ? found.map((name) => textHash(String(name), firstSeed)) : []
    seedsOf.set(names, seeds)
    return seeds
  }
  database.aggregate("millrace_rows_hash", {
    varargs: true,
    useBigIntArguments: true,
    start: () => new Float64Array(3),
    step: (sum, names: unknown, ...cells: ReadonlyArray<unknown>) => {
      const seeds = seedsOf.get(String(names)) ?? known(String(names))
      let [high, low] = [0, 0]
      for (let at = 0; at < cells.length; at++) {
        const cell = cells[at]
        if (cell === null) continue
        const seed = seeds[at] ?? 0
        high ^= cellHash(cell, seed)
        low ^= cellHash(cell, seed ^ otherSeed)
      }
      if (sum instanceof Float64Array) add(sum, mixed(high) >>> 0, mixed(low ^ otherSeed) >>> 0)
      return sum
    },
    result: (sum) => (sum instanceof Float64Array ? textOf(sum) : null)
  })
}

/** Adds 64 bits to a sum, of which each place has 32. */
const add = (sum: Float64Array, high: number, low: number): void => {
  const [first = 0, second = 0, third = 0] = sum
  const one = first + low
  const two = second + high + Math.floor(one / word)
  sum[0] = one % word
  sum[1] = two % word
  sum[2] = third + Math.floor(two / word)
}

const word = 2 ** 32

const textOf = (sum: Float64Array): string =>
  String(sum.reduceRight((total, place) => (total << 32n) + BigInt(place), 0n))

const [firstSeed, otherSeed] = [0x2545f491, 0x5bd1e995]

const float = new Float64Array(1)
const halves = new Uint32Array(float.buffer)

/** The hash of a value, with the kind that SQLite stores it as. */
const cellHash = (cell: unknown, seed: number): number => {
  if (typeof cell === "string") return textHash(cell, seed)
  if (typeof cell === "number") {
    float[0] = cell
    return mixed(added(added(seed ^ 1, halves[0] ?? 0), halves[1] ?? 0))
  }
  if (typeof cell === "bigint") {
    return mixed(added(added(seed ^ 2, Number(BigInt.asIntN(32, cell))), Number(BigInt.asIntN(32, cell >> 32n))))
  }
  let hash = seed ^ 3
  if (cell instanceof Uint8Array) for (const byte of cell) hash = added(hash, byte)
  return mixed(hash)
}

const textHash = (text: string, seed: number): number => {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = added(hash, text.charCodeAt(at))
  return mixed(hash ^ text.length)
}

/** The rounds of MurmurHash 3, of 32 bits. */
const added = (hash: number, block: number): number => {
  const scrambled = Math.imul(block, 0xcc9e2d51)
  const next = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593)
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64) | 0
}

const mixed = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}
