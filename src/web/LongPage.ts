/**
 * The size from which a page may take long to read, and is read in another thread.
 *
 * A new thread compiles all code that reads pages, which costs as much as a hundred pages. A service pays for that,
 * because its callers would wait otherwise. A crawl that is alone in its process makes nobody wait, and reads in this
 * thread what takes up to a second; beyond that, the pages in flight would run out of time.
 */
import * as Context from "effect/Context"

export interface LongPage {
  /** A page of this size may take long. */
  readonly bytes: number
  /** So may a smaller page with this many tags: 200 kB of cells take as long as megabytes of text. */
  readonly tags: number
}

export const LongPage = Context.Reference<LongPage>("millrace/LongPage", {
  defaultValue: () => ({ bytes: 512 * 1024, tags: 20_000 })
})

/** For a process in which nobody else waits. */
export const alone: LongPage = { bytes: 4 * 1024 * 1024, tags: 100_000 }

/** Whether a page may take long. */
export const mayTakeLong = (body: Uint8Array, { bytes, tags }: LongPage): boolean => {
  // A tag has at least four bytes, as `<b>` and a letter.
  if (body.byteLength < tags * 3) return false
  if (body.byteLength >= bytes) return true
  let seen = 0
  for (let at = body.indexOf(lessThan); at !== -1 && seen < tags; at = body.indexOf(lessThan, at + 1)) seen += 1
  return seen >= tags
}

const lessThan = 0x3c
