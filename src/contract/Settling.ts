/**
 * An extension of the contract: a crawl that returns its documents when it has ended, one for each page.
 *
 * The header `x-millrace-settle` starts such a crawl: its value is `Settling` as JSON. A service that does not know the
 * header ignores it and delivers documents as they come. One that knows it answers status requests without documents until
 * every page is read and it is decided which URLs are the same page. Then the documents come in the order of their URLs,
 * and their metadata has `depth` and `discoveredFrom` too. The errors answer has the `spellings` that the next crawl must
 * keep.
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
  /** The spellings of URLs of pages that are loaded already, packed (`pack`). */
  spellings: Schema.optionalKey(Schema.String),
  /** Whether a browser has shown pages that are loaded already: then a page that says little is a shell, not a short page. */
  rendered: Schema.optionalKey(Schema.Literal(true)),
  /** The themes of hosts that earlier crawls have learned, packed (`src/page/Theme.ts`): by them the pages are read. */
  themes: Schema.optionalKey(Schema.String),
  /** The id of the crawl that loaded the pages, if its answer had no spellings: the service uses what it still has of it. */
  after: Schema.optionalKey(Schema.String)
})
export type Settling = typeof Settling.Type

export const defaultTrapBudget = 1000

const fromHeader = Schema.decodeUnknownOption(Schema.fromJsonString(Settling))

/** Decodes the header of a request. None: it is absent or cannot be decoded. */
export const read = (header: string | undefined): Option.Option<Settling> =>
  header === undefined ? Option.none() : fromHeader(header)

/** The maximum number of characters in the header: URLs that do not fit are left out. */
const maxCharacters = 8000

/** Packs as many URLs as fit; the most important come first. Sorted, each without the beginning that it shares with the last. */
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
