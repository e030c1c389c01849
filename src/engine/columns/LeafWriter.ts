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
import { Dictionary, mayRepeat } from "./Dictionary.ts"
import { Levels } from "./Levels.ts"
import * as PageHeader from "./PageHeader.ts"
import { writePlain } from "./plainValue.ts"

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
