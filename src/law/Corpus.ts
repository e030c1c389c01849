/**
 * A folder of government texts, file by file: what each is, whether it is known already, and what it says.
 *
 * Every file of the folder comes once, in the same order each time; files of unknown formats come too, with the reason
 * why they are left out. A file is read only when its texts are pulled; a broken file fails its own texts and no others.
 * Names are unique in the whole corpus: a section whose name an earlier file has is rejected (`once.ts`).
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Stream from "effect/Stream"
import { CorpusError, type Options, type Settings, of as settingsOf } from "./CorpusSettings.ts"
import * as Census from "./corpus/Census.ts"
import * as Ecfr from "./corpus/gpo/Ecfr.ts"
import * as FedReg from "./corpus/gpo/FedReg.ts"
import * as Html from "./corpus/html/Html.ts"
import * as HtmlFile from "./corpus/html/HtmlFile.ts"
import { type Claims, empty, once } from "./corpus/once.ts"
import * as OpenLaw from "./corpus/openLaw/OpenLaw.ts"
import type { Around } from "./corpus/openLaw/Surroundings.ts"
import * as Surroundings from "./corpus/openLaw/Surroundings.ts"
import type { FileContext, Reader } from "./corpus/Reader.ts"
import * as RegMl from "./corpus/regml/RegMl.ts"
import * as Sax from "./corpus/Sax.ts"
import { type Format, sniff } from "./corpus/sniff.ts"
import * as Cfr from "./corpus/uslm/Cfr.ts"
import * as Compilation from "./corpus/uslm/Compilation.ts"
import * as FederalRegister from "./corpus/uslm/FederalRegister.ts"
import * as Measure from "./corpus/uslm/Measure.ts"
import * as UsCode from "./corpus/uslm/UsCode.ts"
import type { GovText, Skipped } from "./GovText.ts"

export { Census } from "./corpus/Census.ts"

export interface CorpusFile {
  /** Relative to the corpus, with `/`; the file's own name where the corpus is one file. */
  readonly path: string
  readonly bytes: number
  /**
   * Of its bytes and of all else that its texts depend on: settings, the index it stands in, this reader. The same digest says
   * the same texts.
   */
  readonly sha256: string
  readonly format: Format | "none"
  /** Reads the file. Fails with the line where it is broken, behind what could be read. */
  readonly texts: Stream.Stream<GovText, CorpusError>
  /** What was counted in it, once all its texts were pulled; undefined: it is not a file of law, or it is broken. */
  readonly census?: () => Census.Census | undefined
}

/** All files under `path`, a folder or one file. */
export const files = (
  path: string,
  options: Options = {}
): Stream.Stream<CorpusFile, CorpusError, FileSystem.FileSystem | Path.Path> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const { type } = yield* Effect.mapError(fs.stat(path), failed(path))
      const surroundings = Surroundings.of(fs, paths, path)
      const claims = empty()
      const open = (file: string, absolute: string) =>
        Effect.catch(opened(fs, file, absolute, options, surroundings, claims), (cause) =>
          Effect.succeed(unreadable(file, failed(file)(cause)))
        )
      return type === "Directory"
        ? Stream.mapEffect(walk(fs, paths, path, ""), (found) =>
            found.why === undefined
              ? open(found.file, paths.join(path, ...found.file.split("/")))
              : Effect.succeed(leftOut(found.file, found.why))
          )
        : Stream.fromEffect(open(paths.basename(path), path))
    })
  )

interface Found {
  readonly file: string
  /** Why the file is not opened. */
  readonly why?: string
}

/** The files of a folder: an index first, then files, then folders, each by name. */
const walk = (
  fs: FileSystem.FileSystem,
  paths: Path.Path,
  root: string,
  folder: string
): Stream.Stream<Found, CorpusError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const absolute = paths.join(root, ...folder.split("/"))
      const names = yield* Effect.mapError(fs.readDirectory(absolute), failed(folder))
      const entries = yield* Effect.forEach(
        names.toSorted(),
        Effect.fnUntraced(function* (name) {
          const file = folder === "" ? name : `${folder}/${name}`
          const why = nameSays(name)
          if (why !== undefined) return { file, why, isFolder: false }
          const at = paths.join(absolute, name)
          const type = yield* Effect.orElseSucceed(
            Effect.map(fs.stat(at), (info) => info.type),
            () => "Unknown"
          )
          if (type === "File") return { file, isFolder: false }
          if (type !== "Directory") return { file, why: "it is neither a file nor a folder", isFolder: false }
          const link = yield* Effect.orElseSucceed(fs.readLink(at), () => undefined)
          return link === undefined
            ? { file, isFolder: true }
            : { file, why: "it is a link to a folder", isFolder: false }
        })
      )
      const index = entries.filter(({ file, isFolder }) => !isFolder && isIndex(file))
      const rest = entries.filter(({ file, isFolder }) => !isFolder && !isIndex(file))
      return Stream.concat(
        Stream.fromIterable([...index, ...rest]),
        Stream.flatMap(Stream.fromIterable(entries.filter(({ isFolder }) => isFolder)), ({ file }) =>
          walk(fs, paths, root, file)
        )
      )
    })
  )

const isIndex = (file: string): boolean => /(^|\/)index\.xml$/.test(file)

const nameSays = (name: string): string | undefined => {
  if (name.startsWith(".")) return "its name begins with a dot"
  if (/(~|\.(bak|orig|old|swp|tmp))$/i.test(name)) return "its name is that of a backup copy"
  return undefined
}

const leftOut = (file: string, why: string): CorpusFile => ({
  path: file,
  bytes: 0,
  sha256: digestOf(file, why),
  format: "none",
  texts: Stream.succeed<Skipped>({ _tag: "Skipped", file, why })
})

const unreadable = (file: string, error: CorpusError): CorpusFile => ({
  path: file,
  bytes: 0,
  sha256: digestOf(file, error.message),
  format: "none",
  texts: Stream.fail(error)
})

/** The version of these readers. Raise it if they find something else in an unchanged file. */
const edition = "8"

const opened = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  file: string,
  absolute: string,
  options: Options,
  surroundings: Surroundings.Surroundings,
  claims: Claims
) {
  const { size } = yield* fs.stat(absolute)
  // A buffer for a small file is not bigger than the file: there may be very many of them.
  const chunkSize = Math.max(1, Math.min(most, Number(size)))
  const hash = createHash("sha256")
  let bytes = 0
  let head = ""
  yield* Stream.runForEach(fs.stream(absolute, { chunkSize }), (chunk) =>
    Effect.sync(() => {
      if (bytes === 0) head = decoderOf(chunk).decode(chunk)
      bytes += chunk.length
      hash.update(chunk)
    })
  )
  const { settings, beneath } = settingsOf(options, file)
  const sniffed = bytes === 0 ? { why: "it is empty" } : sniff(head)
  const format = typeof sniffed === "string" ? sniffed : "none"
  const around = yield* surroundings.of(absolute, format)
  const counted: Counted = { census: undefined }
  const found: CorpusFile = {
    path: file,
    bytes,
    sha256: digestOf(edition, hash.digest("hex"), file, settings, around),
    format,
    census: () => counted.census,
    texts:
      typeof sniffed === "string"
        ? textsOf(fs, absolute, { file, chunkSize, beneath, settings, format: sniffed, around, claims, counted })
        : Stream.succeed<Skipped>({ _tag: "Skipped", file, why: sniffed.why })
  }
  return found
})

const most = 65_536

/** Has the census of a file when its texts were pulled. */
interface Counted {
  census: Census.Census | undefined
}

const digestOf = (...parts: ReadonlyArray<unknown>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")

const textsOf = (
  fs: FileSystem.FileSystem,
  absolute: string,
  kind: {
    readonly file: string
    readonly chunkSize: number
    readonly beneath: string
    readonly settings: Settings
    readonly format: Format
    readonly around: Surroundings.Around
    readonly claims: Claims
    readonly counted: Counted
  }
): Stream.Stream<GovText, CorpusError> =>
  Stream.suspend(() => {
    let texts: Array<GovText> = []
    let decoder: TextDecoder | undefined
    const counter = Census.counterFor(kind.format, kind.file)
    const take = (text: GovText): void => {
      counter.took(text)
      texts.push(text)
    }
    const say = once(take, kind.file, kind.claims)
    const reader = readerOf(kind.format, { ...kind, say }, kind.around)
    const sax = kind.format === "html" ? HtmlFile.parserFor(reader) : Sax.parserFor(reader)
    const delivered = (fault: Sax.Fault | undefined): Stream.Stream<GovText, CorpusError> => {
      const some = Stream.fromIterable(texts)
      texts = []
      if (fault === undefined) return some
      const { line, message } = fault
      return Stream.concat(some, Stream.fail(new CorpusError({ file: kind.file, line, message })))
    }
    return fs.stream(absolute, { chunkSize: kind.chunkSize }).pipe(
      Stream.mapError(failed(kind.file)),
      Stream.flatMap((chunk) => {
        decoder ??= decoderOf(chunk)
        const text = decoder.decode(chunk, { stream: true })
        counter.write(text)
        return delivered(sax.write(text))
      }),
      Stream.concat(
        Stream.suspend(() => {
          const fault = sax.write(decoder?.decode() ?? "") ?? sax.end()
          if (fault === undefined) kind.counted.census = counter.end()
          return delivered(fault)
        })
      )
    )
  })

/** UTF-8, unless a byte order mark or the XML declaration names another encoding. */
const decoderOf = (chunk: Uint8Array): TextDecoder => {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return new TextDecoder("utf-16le")
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return new TextDecoder("utf-16be")
  const start = new TextDecoder("latin1").decode(chunk.subarray(0, 200))
  const label = /^<\?xml[^>]*\bencoding=["']([\w-]+)["']/.exec(start)?.[1] ?? "utf-8"
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

const failed =
  (file: string) =>
  (cause: PlatformError): CorpusError =>
    new CorpusError({ file, message: `it cannot be read: ${cause.message}`, cause })

/**
 * The formats that are read, as a list. To add one, add it here and in `sniff.ts`.
 */
const readerOf = (format: Format, place: FileContext, around: Around): Reader => {
  switch (format) {
    case "open-law":
      return OpenLaw.readerOf(place, around)
    case "uslm":
      return make(place)
    case "ecfr":
      return Ecfr.readerOf(place)
    case "federal-register":
      return FedReg.readerOf(place)
    case "regml":
      return RegMl.readerOf(place)
    case "html":
      return Html.readerOf(place, around)
  }
}

/** United States Legislative Markup: which kind of text a file is, by its root. */
const make = (place: FileContext): Reader => {
  let reader: Reader | undefined
  return {
    open: (element, within) => {
      if (within.length > 0) return reader?.open(element, within) ?? "skip"
      reader = kinds[element.name.replace(/^.*:/, "")]?.(place)
      if (reader !== undefined) return reader.open(element, within)
      place.say({
        _tag: "Skipped",
        file: place.file,
        line: element.line,
        why: `USLM that is not read: <${element.name}>`
      })
      return "skip"
    },
    took: (element, within) => reader?.took(element, within),
    close: (element, within) => reader?.close(element, within),
    end: () => reader?.end()
  }
}

const kinds: Readonly<Record<string, ((place: FileContext) => Reader) | undefined>> = {
  uscDoc: UsCode.readerOf,
  cfrDoc: Cfr.readerOf,
  frDoc: FederalRegister.readerOf,
  statuteCompilation: Compilation.readerOf,
  bill: Measure.readerOf,
  resolution: Measure.readerOf
}
