/**
 * An extension of the contract: a crawl that returns its documents when it has ended, one for each page.
 *
 * A crawl is started with the header `x-millrace-settle`, whose value is `Settling` as JSON. A service that does not know it
 * ignores it and tells documents as they come. One that does answers status requests without documents until every page is
 * read and it is decided which URLs are one page; then they come in the order of their URLs, and their metadata says `depth`
 * and `discoveredFrom` as well. Its errors answer names the `spellings` that a later crawl is to keep.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const settlingHeader = "x-millrace-settle"

export const Settling = Schema.Struct({
  trapBudget: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description:
        "how many pages without new content are read from an endless series of URLs (a calendar, a path that loops) before " +
        "the series is no longer followed; 0: it is always followed; default: 1,000"
    })
  ),
  /** Spellings of pages that are loaded already, packed (`pack`). */
  spellings: Schema.optionalKey(Schema.String),
  /** The crawl that loaded them, where it said no spellings: what the service still has of it counts. */
  after: Schema.optionalKey(Schema.String)
})
export type Settling = typeof Settling.Type

export const defaultTrapBudget = 1000

const fromHeader = Schema.decodeUnknownOption(Schema.fromJsonString(Settling))

/** What the header of a request says; none: it is not there, or is of a kind that is not known. */
export const read = (header: string | undefined): Option.Option<Settling> =>
  header === undefined ? Option.none() : fromHeader(header)

/** A header is not for megabytes: what does not fit is left out. */
const maxCharacters = 8000

/** URLs, the most important first, in order and each without what it shares with the one before; as many as fit. */
export const pack = (urls: ReadonlyArray<string>): string => {
  for (let count = urls.length; ; count = Math.floor(count * 0.9)) {
    const packed = packAll(urls.slice(0, count))
    if (packed.length <= maxCharacters) return packed
  }
}

const packAll = (urls: ReadonlyArray<string>): string => {
  let packed = ""
  let before = ""
  for (const url of [...new Set(urls)].toSorted()) {
    let same = 0
    while (same < before.length && before[same] === url[same]) same += 1
    packed += `${same} ${url.slice(same)}\n`
    before = url
  }
  return packed
}

export const unpack = (packed: string): ReadonlyArray<string> => {
  let before = ""
  return packed.split("\n").flatMap((line) => {
    const at = line.indexOf(" ")
    if (at === -1) return []
    before = before.slice(0, Number(line.slice(0, at))) + line.slice(at + 1)
    return [before]
  })
}
