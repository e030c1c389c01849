/**
 * From which size on a page may take long to read, and is read by another thread.
 *
 * A thread that starts compiles anew all that reads pages, which costs as much as a hundred pages. A service pays for that, as its
 * callers would wait meanwhile. A crawl that has its process for itself keeps nobody waiting, and reads here what takes a second
 * at the most; beyond that the pages that are in flight would run out of time.
 */
import * as Context from "effect/Context"

export interface LongPage {
  /** A page of so many bytes may take long. */
  readonly bytes: number
  /** So does one of fewer bytes with so many tags: 200 kB of cells take as long as megabytes of text. */
  readonly tags: number
}

export const LongPage = Context.Reference<LongPage>("millrace/LongPage", {
  defaultValue: () => ({ bytes: 512 * 1024, tags: 20_000 })
})

/** Where nobody else waits. */
export const alone: LongPage = { bytes: 4 * 1024 * 1024, tags: 100_000 }

/** Whether a page may take long. */
export const mayTakeLong = (body: Uint8Array, { bytes, tags }: LongPage): boolean => {
  // A tag has four bytes at the least, as `<b>` and a letter.
  if (body.byteLength < tags * 3) return false
  if (body.byteLength >= bytes) return true
  let seen = 0
  for (let at = body.indexOf(lessThan); at !== -1 && seen < tags; at = body.indexOf(lessThan, at + 1)) seen += 1
  return seen >= tags
}

const lessThan = 0x3c
