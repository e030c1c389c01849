/**
 * The links of a crawl that are named like files, such as `/wiki/Node.js` and `/img/logo.png`: which of them are pages.
 *
 * The content type decides. The crawl asks for two addresses of each folder and extension, and reads only the heads of
 * the answers. If one of them is a page, all addresses of the folder with this extension are read like other links. Otherwise they
 * are files, and no further one is asked for. Below a folder whose samples were all files, no more samples are asked for after
 * some of them. The decisions do not depend on the order of answers: they are made between two levels of the crawl.
 */
import * as Effect from "effect/Effect"
import * as PageUrl from "#contract/PageUrl"
import * as Scope from "../CrawlScope.ts"
import type { DiscoveredUrl } from "../CrawlUrl.ts"
import type { Sample } from "../PageVisit.ts"

export interface NamedFiles {
  /** Learns what the addresses are that are named like files, and of which nothing is known. */
  readonly learn: (urls: ReadonlyArray<URL>) => Effect.Effect<void>
  /** What a URL is, in words, if it is a file; undefined: it is a page, or may be one. */
  readonly fileAt: (url: URL) => string | undefined
  /** Takes queued URLs, of which `files` will decide. */
  readonly enter: (found: ReadonlyArray<DiscoveredUrl>) => void
  /** Decides about the URLs that were entered since the last call: those that are files. */
  readonly files: Effect.Effect<ReadonlyArray<{ readonly item: DiscoveredUrl; readonly file: string }>>
}

/** What was learned of a folder and all below it, for one extension. */
interface Evidence {
  pages: number
  files: number
  /** What the first file was. */
  what: string
}

/** `sample` asks for a URL. */
export const create = (sample: (url: URL) => Effect.Effect<Sample>): NamedFiles => {
  const evidence = new Map<string, Evidence>()
  let entered: Array<DiscoveredUrl> = []

  /** The evidence that decides about a URL: that of its folder, or of a folder above where enough files were seen. */
  const decisive = (url: URL): Evidence | undefined => {
    const [own, ...above] = namesOf(url).map((name) => evidence.get(name))
    if (own !== undefined && own.pages + own.files > 0) return own
    return above.find((one) => one !== undefined && one.pages === 0 && one.files >= enoughFiles)
  }

  const learn = Effect.fnUntraced(function* (urls: ReadonlyArray<URL>) {
    const folders = new Map<string, Array<URL>>()
    for (const url of urls) {
      if (decisive(url) !== undefined) continue
      const [name = ""] = namesOf(url)
      const some = folders.get(name) ?? []
      folders.set(name, some)
      some.push(url)
    }
    const least = [...folders.values()].flatMap((some) =>
      some.toSorted((a, b) => PageUrl.compare(a.href, b.href)).slice(0, samplesOfFolder)
    )
    yield* Effect.forEach(least, (url) => Effect.map(sample(url), (found) => note(evidence, url, found)), {
      concurrency: atOnce,
      discard: true
    })
  })

  const fileAt = (url: URL): string | undefined => {
    const found = decisive(url)
    return found === undefined || found.pages > 0 ? undefined : found.what
  }

  return {
    learn,
    fileAt,
    enter: (found) => {
      for (const url of found) {
        if (url.state === "queued" && url.kind !== "start" && Scope.isNamedLikeFile(new URL(url.url))) entered.push(url)
      }
    },
    files: Effect.gen(function* () {
      const some = entered
      entered = []
      yield* learn(some.map(({ url }) => new URL(url)))
      return some.flatMap((item) => {
        const file = fileAt(new URL(item.url))
        return file === undefined ? [] : [{ item, file }]
      })
    })
  }
}

const note = (evidence: Map<string, Evidence>, url: URL, found: Sample): void => {
  if (found === "blocked") return
  for (const name of namesOf(url)) {
    const one = evidence.get(name) ?? { pages: 0, files: 0, what: "" }
    evidence.set(name, one)
    if (found.isPage) one.pages += 1
    else {
      one.files += 1
      if (one.what === "") one.what = found.what
    }
  }
}

/** The folder of a URL with its extension, then the folders above it without the root: "http://a.test/img/2026/ .png". */
const namesOf = (url: URL): ReadonlyArray<string> => {
  const extension = url.pathname.slice(url.pathname.lastIndexOf(".")).toLowerCase()
  const folders: Array<string> = []
  for (let end = url.pathname.lastIndexOf("/"); end >= 0; end = url.pathname.lastIndexOf("/", end - 1)) {
    if (end > 0 || folders.length === 0) folders.push(`${url.origin}${url.pathname.slice(0, end + 1)} ${extension}`)
    if (end === 0) break
  }
  return folders
}

const samplesOfFolder = 2

/** After this many files below a folder, and no page, its other folders hold files too. */
const enoughFiles = 8

const atOnce = 4
