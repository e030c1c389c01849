/**
 * The keys of a crawl's URLs, by their numbers. A key is mostly a part of its URL (`PageUrl.keyOf`), so it costs four bytes:
 * where it begins there, and how long it is. Others are kept as they are.
 */
import { NumberColumn } from "../frontier/NumberColumn.ts"

export class KeyColumn {
  readonly #parts = new NumberColumn(0)
  readonly #others = new Map<number, string>()

  /** `url`: that of this number, as it is now. */
  get(at: number, url: string): string {
    const other = this.#others.get(at)
    if (other !== undefined) return other
    const part = this.#parts.get(at)
    const begin = part & mostBegin
    return url.slice(begin, begin + (part >> beginBits))
  }

  set(at: number, key: string, url: string): void {
    const begin = url.indexOf(key)
    if (begin >= 0 && begin <= mostBegin && key.length <= mostLength) {
      this.#parts.set(at, begin | (key.length << beginBits))
      this.#others.delete(at)
    } else this.#others.set(at, key)
  }
}

const beginBits = 8
const mostBegin = 2 ** beginBits - 1
const mostLength = 2 ** (31 - beginBits) - 1
