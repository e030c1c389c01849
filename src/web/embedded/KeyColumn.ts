/**
 * The keys of a crawl's URLs, by URL number. Most keys are a part of their URL (`PageUrl.keyOf`) and cost four bytes:
 * where the part begins, and how long it is. Other keys are kept as text.
 */
import { NumberColumn } from "../frontier/NumberColumn.ts"

export class KeyColumn {
  readonly #parts = new NumberColumn(0)
  readonly #others = new Map<number, string>()

  /** `url`: the current URL of this number. */
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
