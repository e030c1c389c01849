/**
 * Writes the values of one leaf into pages: levels, values or indexes of a dictionary, and bounds.
 *
 * A value is written once, into the memory that is compressed. If the dictionary refuses a value, the values of the current
 * page are written out; earlier pages keep using the dictionary.
 */
import { isLess, isTextLess, type Value } from "../ColumnBounds.ts"
import * as Codec from "../ColumnCodec.ts"
import { type Leaf, Physical } from "../ParquetLeaf.ts"
import { PageBuffer, type Pool } from "../ParquetPageBuffer.ts"
import type { Chunk } from "./Chunk.ts"
import * as hybrid from "./hybrid.ts"
import * as PageHeader from "./PageHeader.ts"

/** A page ends after the row in which it reaches this many bytes or entries. */
const pageBytes = 2_000_000
const pageEntries = 65_536
/** A chunk with fewer bytes is not compressed, because that would save nothing. */
const fewBytes = 128

/** A page that has ended. Its body may still have to be compressed. */
interface Page extends Omit<PageHeader.PageHeader, "bytes" | "crc"> {
  readonly body: Uint8Array
  readonly isCompressed: boolean
}

/** A chunk whose pages may still have to be compressed. */
export interface EndedChunk extends Pick<Chunk, "leaf" | "entries" | "nulls" | "bounds" | "distinct"> {
  readonly compression: Codec.Compression
  readonly pages: ReadonlyArray<Page>
}

export class LeafWriter {
  readonly leaf: Leaf
  private readonly compression: Codec.Compression
  private readonly memory: Pool
  private readonly standsAlone: boolean
  private readonly levels: Levels
  private readonly values: PageBuffer
  private dictionary: Dictionary | undefined
  /** The dictionary that earlier pages use. */
  private used: Dictionary | undefined
  private pages: Array<Page> = []
  private nulls = 0
  private least: Value | undefined
  private greatest: Value | undefined
  private isBounded = true
  /** Whether both bounds are ASCII, so that JavaScript's comparison is right for texts of ASCII. */
  private isAscii = true
  /** Booleans that do not fill a byte yet. */
  private bits = 0
  private bitCount = 0

  /**
   * `standsAlone`: false if its pages become a part of another chunk: then there is no dictionary, and small pages are
   * compressed too.
   */
  constructor(leaf: Leaf, compression: Codec.Compression, memory: Pool, standsAlone = true) {
    this.leaf = leaf
    this.standsAlone = standsAlone
    this.compression = compression
    this.memory = memory
    this.levels = new Levels(leaf)
    this.values = new PageBuffer(memory)
    this.begin()
  }

  /** The bytes of the chunk so far, without compression. */
  get rawBytes(): number {
    const ended = this.pages.reduce((sum, page) => sum + page.rawBytes, 0)
    return ended + this.values.length + (this.dictionary?.bytes ?? 0) + (this.levels.count >> 3)
  }

  /** Adds an entry without a value, with its levels. */
  missing(definition: number, repetition: number): void {
    this.nulls++
    this.levels.add(definition, repetition)
  }

  value(value: Value, repetition: number): void {
    this.levels.add(this.leaf.definition, repetition)
    const { dictionary } = this
    if (dictionary === undefined) this.bound(value, this.write(value))
    else if (!dictionary.add(value)) {
      this.dictionary = undefined
      for (const known of dictionary.values()) this.write(known)
      if (this.used === undefined) dictionary.release()
      this.bound(value, this.write(value))
    } else if (dictionary.isNew) this.bound(value, dictionary.isAscii)
  }

  /** Ends the page if it is long enough. Call it after each row. */
  endRow(): void {
    if (this.values.length >= pageBytes || this.levels.count >= pageEntries) this.endPage()
  }

  /** Ends the chunk and returns it. The writer is then empty. */
  finish(): EndedChunk {
    const isSmall = this.standsAlone && this.pages.length === 0 && this.rawBytes < fewBytes
    const compression: Codec.Compression = isSmall ? { codec: "uncompressed" } : this.compression
    if (this.levels.count > 0) this.endPage(compression)
    const dictionary = this.used
    const distinct = dictionary !== undefined && dictionary === this.dictionary ? dictionary.size : undefined
    const pages =
      dictionary === undefined
        ? this.pages
        : [
            this.page(
              dictionary.plain(),
              { isDictionary: true, entries: dictionary.size, isIndexed: false },
              compression
            ),
            ...this.pages
          ]
    const entries = this.pages.reduce((sum, page) => sum + page.entries, 0)
    const { leaf, nulls } = this
    const chunk = { leaf, entries, nulls, bounds: this.bounds(), distinct, compression, pages }
    dictionary?.release()
    this.dictionary?.release()
    this.values.release()
    this.levels.release()
    this.begin()
    return chunk
  }

  private begin(): void {
    this.pages = []
    this.used = undefined
    this.dictionary = this.standsAlone && mayRepeat(this.leaf) ? new Dictionary(this.leaf, this.memory) : undefined
    this.nulls = 0
    this.least = this.greatest = undefined
    this.isAscii = true
    // Readers do not use the bounds of lists.
    this.isBounded = this.leaf.repetition === 0
  }

  private endPage(compression = this.compression): void {
    if (this.bitCount > 0) this.values.byte(this.bits)
    this.bits = this.bitCount = 0
    const entries = this.levels.count
    const levels = this.levels.take()
    const { dictionary } = this
    // A page that has only nulls needs no dictionary.
    const isIndexed = dictionary !== undefined && dictionary.size > 0
    const body = isIndexed ? Buffer.concat([levels, ...dictionary.take()]) : this.values.withBefore(levels)
    this.pages.push(this.page(body, { isDictionary: false, entries, isIndexed }, compression))
    if (isIndexed) this.used = dictionary
    this.values.clear()
  }

  /** Makes a page. The memory of the body will be used again, so the body is compressed or copied now. */
  private page(
    body: Uint8Array,
    page: Pick<Page, "isDictionary" | "entries" | "isIndexed">,
    compression: Codec.Compression
  ): Page {
    const isCompressed = compression.codec !== "uncompressed" && !Codec.isSlow(compression)
    return {
      ...page,
      rawBytes: body.length,
      body: isCompressed ? Codec.compress(body, compression) : Buffer.from(body),
      isCompressed
    }
  }

  /** Writes a value, and returns whether it is text of ASCII. */
  private write(value: Value): boolean {
    if (typeof value !== "boolean") return writePlain(this.values, this.leaf.physical, value)
    this.bits |= (value ? 1 : 0) << this.bitCount
    if (++this.bitCount === 8) {
      this.values.byte(this.bits)
      this.bits = this.bitCount = 0
    }
    return false
  }

  private bound(value: Value, isAscii: boolean): void {
    if (!this.isBounded) return
    if (typeof value === "string") {
      const text = isAscii ? value : value.toWellFormed()
      const isPlain = isAscii && this.isAscii
      const [isLeast, isGreatest] = [isBefore(text, this.least, isPlain), isBefore(this.greatest, text, isPlain)]
      if (isLeast) this.least = text
      if (isGreatest) this.greatest = text
      if (isLeast || isGreatest) this.isAscii &&= isAscii
      return
    }
    if (this.least === undefined || this.greatest === undefined) this.least = this.greatest = value
    else if (isLess(value, this.least)) this.least = value
    else if (isLess(this.greatest, value)) this.greatest = value
    if (Number.isNaN(value)) this.isBounded = false
  }

  private bounds(): Chunk["bounds"] {
    const { greatest: max, least: min, isBounded } = this
    if (!isBounded || min === undefined || max === undefined) return undefined
    // 0 and -0 are equal, so the bounds include both.
    return this.leaf.physical === Physical.DOUBLE
      ? { min: min === 0 ? -0 : min, max: max === 0 ? 0 : max }
      : { min, max }
  }
}

/** Whether text `a` comes before text `b`, or one of them is not known yet. */
const isBefore = (a: Value | undefined, b: Value | undefined, isPlain: boolean): boolean =>
  typeof a !== "string" || typeof b !== "string" || (isPlain ? a < b : isTextLess(a, b))

/** The maximum bytes of a dictionary, and the maximum length of a text in it. */
const mostDictionaryBytes = 1 << 18
const longestEntry = 256
/** With at least this many different values, new values are refused if most values were new. */
const distinctFrom = 64

/** Whether a dictionary can be useful: booleans are already bits, and NaN does not equal itself. */
const mayRepeat = ({ physical }: Leaf): boolean =>
  physical === Physical.BYTE_ARRAY || physical === Physical.INT32 || physical === Physical.INT64

/**
 * The dictionary of a leaf: its different values, each written once, and the index of every value.
 *
 * It is used while values repeat. It refuses a long text, and a new value when more than half of the values were new.
 */
class Dictionary {
  private readonly physical: Physical
  private readonly page: PageBuffer
  private readonly indexByValue = new Map<Value, number>()
  private indexes = new Uint32Array(256)
  /** The number of values in the page, and in the chunk. */
  private count = 0
  private total = 0
  private last: Value | undefined
  private lastIndex = 0
  /** Whether the value that was added last was new, and if so, whether it is ASCII. */
  isNew = false
  isAscii = true

  constructor({ physical }: Leaf, memory: Pool) {
    this.physical = physical
    this.page = new PageBuffer(memory)
  }

  /** The number of different values. */
  get size(): number {
    return this.indexByValue.size
  }

  get bytes(): number {
    return this.page.length + this.count
  }

  /** Adds a value; false where it was refused. */
  add(value: Value): boolean {
    this.isNew = false
    if (value !== this.last || this.count === 0) {
      const index = this.indexByValue.get(value) ?? this.assignIndex(value)
      if (index === undefined) return false
      this.last = value
      this.lastIndex = index
    }
    if (this.count === this.indexes.length) {
      const grown = new Uint32Array(this.count * 2)
      grown.set(this.indexes)
      this.indexes = grown
    }
    this.indexes[this.count++] = this.lastIndex
    this.total++
    return true
  }

  /** The values of the page, in order. */
  *values(): Generator<Value> {
    const known = [...this.indexByValue.keys()]
    for (let at = 0; at < this.count; at++) {
      const value = known[this.indexes[at] ?? 0]
      if (value !== undefined) yield value
    }
  }

  /** The indexes of the values of the page, as they are written after its levels. Then the next page begins. */
  take(): ReadonlyArray<Uint8Array> {
    const width = hybrid.widthFor(this.indexByValue.size)
    const encoded = hybrid.encode(this.indexes, this.count, width)
    this.count = 0
    return [Uint8Array.of(width), encoded]
  }

  /** The different values, as a dictionary page. */
  plain(): Uint8Array {
    return this.page.withBefore(new Uint8Array(0))
  }

  release(): void {
    this.page.release()
  }

  private assignIndex(value: Value): number | undefined {
    const { size } = this.indexByValue
    if (typeof value === "string" && value.length > longestEntry) return undefined
    if ((size >= distinctFrom && size * 2 > this.total) || this.page.length > mostDictionaryBytes) return undefined
    this.indexByValue.set(value, size)
    this.isNew = true
    this.isAscii = writePlain(this.page, this.physical, value)
    return size
  }
}

/** The definition and repetition levels of the entries of a page. */
class Levels {
  private readonly leaf: Leaf
  private definitions: Uint8Array = noLevels
  private repetitions: Uint8Array = noLevels
  count = 0

  constructor(leaf: Leaf) {
    this.leaf = leaf
  }

  add(definition: number, repetition: number): void {
    if (this.count === this.definitions.length) this.grow()
    this.definitions[this.count] = definition
    if (this.leaf.repetition > 0) this.repetitions[this.count] = repetition
    this.count++
  }

  /** The encoded levels, with which a page begins. Then the next page begins. */
  take(): Uint8Array {
    const { count, definitions, leaf, repetitions } = this
    const parts = [
      ...(leaf.repetition === 0
        ? []
        : withLength(hybrid.encode(repetitions, count, hybrid.widthFor(leaf.repetition + 1)))),
      ...withLength(hybrid.encode(definitions, count, hybrid.widthFor(leaf.definition + 1)))
    ]
    this.count = 0
    return Buffer.concat(parts)
  }

  /** Frees the memory. */
  release(): void {
    this.count = 0
    this.definitions = noLevels
    this.repetitions = noLevels
  }

  private grow(): void {
    const size = Math.max(256, this.count * 2)
    this.definitions = larger(this.definitions, size)
    if (this.leaf.repetition > 0) this.repetitions = larger(this.repetitions, size)
  }
}

const noLevels = new Uint8Array(0)

const larger = (levels: Uint8Array, size: number): Uint8Array => {
  const grown = new Uint8Array(size)
  grown.set(levels)
  return grown
}

const withLength = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32LE(bytes.length)
  return [length, bytes]
}

/** Writes a value that is not a BOOLEAN. Returns whether it is ASCII, if it is a text. */
const writePlain = (page: PageBuffer, physical: Physical, value: Value): boolean => {
  if (typeof value === "string") return page.text(value) === value.length
  switch (physical) {
    case Physical.INT32:
      page.int32(Number(value))
      break
    case Physical.INT64:
      page.int64(typeof value === "boolean" ? Number(value) : value)
      break
    case Physical.DOUBLE:
      page.double(Number(value))
      break
    case Physical.FIXED:
      page.int128(BigInt(value))
      break
    case Physical.BOOLEAN:
    case Physical.BYTE_ARRAY:
      throw new Error(`a ${typeof value} cannot be written as a value of its column`)
  }
  return false
}
