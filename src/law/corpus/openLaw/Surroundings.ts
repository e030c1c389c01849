/**
 * What stands beside a file and says something of it: the index that it is included in, the library's own page, a sitemap.
 *
 * Only index.xml and sitemap.xml are read, in the file's folder and the folders above it, and files that are named as a
 * folder is, or as the beginning of the file; a broken one is ignored here, as it fails where it is read for itself.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { Format } from "../sniff.ts"
import { type Index, readIndex } from "./Index.ts"

export interface Around {
  /** Headings that the file stands under in the indexes that include it, outermost first. */
  readonly trail: Index["entries"][number]["trail"]
  /** What those indexes say of themselves, nearest first. */
  readonly indexes: ReadonlyArray<Index["head"]>
  /** Whether one of them is in the corpus, and says the document that the file is of. */
  readonly isListed: boolean
  /**
   * The names of the file and of the folders around it, outermost first, as far as they are numbers: of
   * "comar/21/03/04.xml" and of "comar/21.03.04.xml" 21, 03 and 04. Libraries keep chapters in folders of their titles.
   */
  readonly numbers: ReadonlyArray<string>
  /** Where the file is published. */
  readonly url?: string
}

const nothing: Around = { trail: [], indexes: [], isListed: false, numbers: [] }

export interface Surroundings {
  readonly of: (absolute: string, format: Format | "none") => Effect.Effect<Around>
}

/** How many folders up. */
const reach = 10

/** No index is longer. */
const longest = 16_000_000

/** `root`: the folder of the corpus, or its one file. */
export const of = (fs: FileSystem.FileSystem, paths: Path.Path, root: string): Surroundings => {
  const read = (file: string): Effect.Effect<string> =>
    fs.stat(file).pipe(
      Effect.flatMap(({ size }) => (size > longest ? Effect.succeed("") : fs.readFileString(file))),
      Effect.orElseSucceed(() => "")
    )

  const inIndexes = indexes(paths, paths.resolve(root), read)
  const inSitemap = sitemaps(paths, read)
  return {
    of: (file, format) => {
      const absolute = paths.resolve(file)
      if (format === "open-law") return inIndexes(absolute)
      return format === "html" ? inSitemap(absolute) : Effect.succeed(nothing)
    }
  }
}

type Read = (file: string) => Effect.Effect<string>

/** Finds a file in the indexes that include it. `corpus`: the absolute path of the root. */
const indexes = (paths: Path.Path, corpus: string, read: Read) => {
  const known = new Map<string, ReadonlyMap<string, Index["entries"][number]["trail"]>>()
  const heads = new Map<string, Index["head"]>()

  const entriesOf = Effect.fnUntraced(function* (file: string) {
    const before = known.get(file)
    if (before !== undefined) return before
    const text = yield* read(file)
    const index = text === "" ? undefined : readIndex(text)
    const folder = paths.dirname(file)
    const entries = new Map(index?.entries.map(({ href, trail }) => [paths.resolve(folder, href), trail]))
    known.set(file, entries)
    if (index !== undefined) heads.set(file, index.head)
    return entries
  })

  return Effect.fnUntraced(function* (absolute: string) {
    const trail: Array<Around["trail"][number]> = []
    const found: Array<Index["head"]> = []
    let isListed = false
    let target = absolute
    for (const file of mayList(paths, absolute)) {
      if (file === absolute) continue
      const entry = (yield* entriesOf(file)).get(target)
      const head = heads.get(file)
      if (entry !== undefined) {
        trail.unshift(...entry)
        target = file
        isListed ||= file.startsWith(`${corpus}${paths.sep}`) && paths.basename(file) === "index.xml"
      }
      if (head !== undefined && (entry !== undefined || head.root === "library")) found.push(head)
    }
    const around: Around = { trail, indexes: found, isListed, numbers: numbersOf(absolute.split(paths.sep)) }
    return around
  })
}

/** Finds the address of a file in the sitemaps of the folders around it. */
const sitemaps = (paths: Path.Path, read: Read) => {
  const known = new Map<string, ReadonlyMap<string, ReadonlyArray<string>>>()

  return Effect.fnUntraced(function* (absolute: string) {
    for (const folder of above(paths, absolute)) {
      const file = paths.join(folder, "sitemap.xml")
      let pages = known.get(file)
      if (pages === undefined) {
        const text = yield* read(file)
        const urls = [...text.matchAll(location)].map(([, url = ""]) => url)
        pages = Map.groupBy(urls, (url) => url.replace(/^.*\//, ""))
        known.set(file, pages)
      }
      const beneath = encodeURI(absolute.slice(folder.length).split(paths.sep).join("/"))
      const url = pages.get(encodeURI(paths.basename(absolute)))?.find((one) => one.endsWith(beneath))
      if (url !== undefined) return { ...nothing, url }
    }
    return nothing
  })
}

/** The files that may list this one, nearest first: 21.03.xml lists 21.03.04.xml, and 21/index.xml and 21.xml what is in 21. */
const mayList = (paths: Path.Path, absolute: string): ReadonlyArray<string> => {
  const steps = paths
    .basename(absolute)
    .replace(/\.xml$/i, "")
    .split(".")
  const shorter = steps.slice(1).map((_, less) => steps.slice(0, steps.length - 1 - less).join("."))
  return [
    ...shorter.map((name) => paths.join(paths.dirname(absolute), `${name}.xml`)),
    ...above(paths, absolute).flatMap((folder) => [paths.join(folder, "index.xml"), `${folder}.xml`])
  ]
}

const above = (paths: Path.Path, absolute: string): ReadonlyArray<string> => {
  const folders = [paths.dirname(absolute)]
  for (let next = paths.dirname(folders[0] ?? ""); folders.length < reach; next = paths.dirname(next)) {
    if (next === folders.at(-1)) break
    folders.push(next)
  }
  return folders
}

/** At most three: a title, a subtitle, a chapter. Folders that only say what is in them are passed over. */
const numbersOf = (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const numbers: Array<string> = []
  for (const part of parts.toReversed()) {
    const name = part.replace(/\.xml$/i, "")
    if (passed.test(name)) continue
    if (numbers.length === 3 || !/^\d{1,4}[A-Za-z]{0,2}(?:\.\d{1,4}[A-Za-z]{0,2})*$/.test(name)) break
    numbers.unshift(...name.split(".").slice(numbers.length - 3))
  }
  return numbers
}

const passed = /^(index|titles?|subtitles?|chapters?|sections?|regulations?)$/i

const location = /<loc>\s*(https?:[^<\s]+?)\s*<\/loc>/g
