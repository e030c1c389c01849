/**
 * The source of government texts: a folder of files of law, as documents and sections.
 *
 * A file whose digest the last run knew is not read again. An answer is a piece of one file, and no longer than its
 * texts need; a broken file is a reject with its line, and the others continue. A run that was killed continues after
 * the last piece that it kept; if a file has changed since, the checkpoint does not call it known. A section whose
 * identity another one has is a reject, whichever of their files this run reads: it looks at the names in all first.
 */
import * as Path from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Checkpoint from "#engine/Checkpoint"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import type { Census, CorpusFile } from "#law/Corpus"
import type { CorpusError } from "#law/CorpusSettings"
import type { GovText } from "#law/GovText"
import { Options } from "./options.ts"
import { Cursor, isClash, markOf, Reading, Stand, State } from "./Reading.ts"
import * as rows from "./rows.ts"
import * as tables from "./tables.ts"

/**
 * Makes elements of the source's answers: the rows of a piece of a file, warnings of what is left out, a reject for a broken
 * file, and the state of the reading.
 */
const Broken = Schema.Struct({
  file: Schema.String,
  line: Schema.optionalKey(Schema.Int),
  message: Schema.String
})

type Elements = ReadonlyArray<Source.Element<State>>

const elementsOf = (at: number, { file, texts }: rows.Piece): Elements => {
  const context = { at, file }
  const documents = texts.flatMap((text) => (text._tag === "Document" ? [rows.document(context, text)] : []))
  const sections = texts.flatMap((text) => (text._tag === "Section" ? [rows.section(context, text)] : []))
  return [
    ...(documents.length === 0 ? [] : [Table.batch(tables.documents, documents)]),
    ...texts.flatMap((text) => (text._tag === "Census" ? [Table.batch(tables.files, [rows.file(context, text)])] : [])),
    ...(sections.length === 0 ? [] : [Table.batch(tables.sections, sections)]),
    ...texts.flatMap((text) => (text._tag === "Rejected" ? [twinOf(text)] : [])),
    ...Source.warnings(texts.flatMap((text) => (text._tag === "Skipped" ? [[placeOf(text), text.why] as const] : [])))
  ]
}

/** "titles/7.html:12" */
const placeOf = ({ file, line }: { readonly file: string; readonly line?: number | undefined }): string =>
  line === undefined ? file : `${file}:${line}`

/** A section whose identity another section of the corpus has. */
const twinOf = ({
  section,
  why
}: Extract<rows.Piece["texts"][number], { readonly _tag: "Rejected" }>): Source.Reject => ({
  _tag: "Reject",
  table: tables.sections,
  reason: why,
  path: "identity",
  raw: section
})

const standOf = ({ clashes, discovered, failed, state }: Stand): Elements => [
  Source.progress({
    discovered,
    read: discovered - failed,
    failed,
    ...(clashes === undefined ? {} : { clashes })
  }),
  Checkpoint.make<State>(state)
]

const rejectOf = (broken: typeof Broken.Type): Source.Reject => ({
  _tag: "Reject",
  table: tables.sections,
  reason: `${placeOf(broken)}: ${broken.message}`,
  raw: broken
})

/**
 * The source of `type: gov_corpus`: files of USLM, RegML, Open Law and HTML as documents and sections.
 *
 * @example
 * ```ts
 * import { govCorpus } from "millrace/connectors/gov"
 *
 * console.log(govCorpus.with({ path: "./corpus" }).tables.map(({ name }) => name)) // ["gov_sections", "gov_documents", "gov_files"]
 * ```
 */
export const govCorpus = Source.make({
  type: "gov_corpus",
  description: "government texts from files: codes, regulations, Acts, bills, ordinances",
  options: Options,
  rereadable: true,
  state: State,
  cursor: Cursor,
  tables: () => [tables.sections, tables.documents, tables.files],
  fetch: (options, from) => Stream.provide(ask(options, from), Layer.mergeAll(NodeFileSystem.layer, NodePath.layer)),
  decode: Effect.fnUntraced(function* (_, answer) {
    switch (answer.kind) {
      case "state":
        return standOf(yield* Effect.mapError(readStand(answer.text), unreadable))
      case "broken":
        return [rejectOf(yield* Effect.mapError(readBroken(answer.text), unreadable))]
      default:
        return elementsOf(answer.at, yield* Effect.mapError(readPiece(answer.text), unreadable))
    }
  })
})

type Fetched = Source.Fetched<Cursor>

/** Loaded when it is used: a command that reads no corpus does not wait for its parser. */
const corpus = Effect.promise(() => import("#law/Corpus"))

/** How many texts, and about how many characters, an answer holds; one text is never cut. */
const maxAnswer = { texts: 100, characters: 1_000_000 }

const ask = ({ path, ...options }: Options, { after, directory, start }: Source.ResumePoint<State, Cursor>) =>
  Stream.suspend(() => {
    const known = Option.match(start, { onNone: () => ({}), onSome: ({ files }) => files })
    const behind = Option.getOrUndefined(after)
    const reading = new Reading(known, behind)
    const all = Stream.unwrap(
      Effect.map(corpus, (room) => Stream.mapError(room.files(Path.resolve(directory, path), options), toSourceError))
    )
    const isFirst = Option.isNone(start) && behind === undefined
    const files = isFirst ? all : Stream.unwrap(Effect.map(prepared(reading, all, known, behind), Stream.fromIterable))
    return Stream.flatMap(files, (file) => Stream.unwrap(Effect.suspend(() => answersOf(reading, file)))).pipe(
      Stream.concat(
        Stream.unwrap(
          Effect.sync(() => (isFirst && reading.isEmpty ? Stream.fail(emptied(path, reading)) : stateOf(reading)))
        )
      )
    )
  })

/** The files, after the names of those that this run does not ask for again are taken. */
const prepared = Effect.fnUntraced(function* <R>(
  reading: Reading,
  all: Stream.Stream<CorpusFile, Source.SourceError, R>,
  known: State["files"],
  behind: Cursor | undefined
) {
  const files = yield* Stream.runCollect(all)
  const plan = new Reading(known, behind)
  const unread = new Set(files.filter((file) => plan.begin(file) !== undefined))
  const here = new Set(files.map(({ path }) => path))
  reading.isStirred = unread.size > 0 || Object.keys(known).some((path) => !here.has(path))
  if (!reading.isStirred) return files
  const rest = files.filter((file) => !unread.has(file))
  for (const file of rest) if (known[file.path] === file.sha256) reading.record(file, yield* namesOf(file))
  // What this very run has read before it was stopped, in the order in which it did.
  const at = files.findIndex(({ path }) => path === behind?.file)
  for (const file of files.slice(0, Math.max(at, 0))) {
    if (known[file.path] !== file.sha256 && !unread.has(file)) reading.record(file, yield* namesOf(file))
  }
  return files
})

/** Reads a file for what it says about names alone. One that is broken says it when it is asked. */
const namesOf = ({ texts }: CorpusFile): Effect.Effect<ReadonlyArray<GovText>> => {
  const heard: Array<GovText> = []
  return Stream.runForEach(texts, (text) =>
    Effect.sync(() => {
      if (text._tag === "Document" || isClash(text)) heard.push(text)
    })
  ).pipe(Effect.ignore, Effect.as(heard))
}

const answersOf = Effect.fnUntraced(function* (reading: Reading, file: CorpusFile) {
  const begun = reading.begin(file)
  if (begun === undefined) return Stream.empty
  const { cursor, from, known } = begun
  if (known !== undefined) {
    const texts = yield* namesOf(file)
    if (markOf(file.sha256, texts) === known) return Stream.empty
  }
  return piecesOf(reading, file, cursor, from)
})

const piecesOf = (reading: Reading, file: CorpusFile, cursor: Cursor, from: number): Stream.Stream<Fetched> => {
  let piece = -1
  const clashes: Array<GovText> = []
  const answer = (kind: string, text: string): Effect.Effect<Fetched> =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      reading.last = { ...cursor, piece: Math.max(piece, 0) }
      return { kind, at, text, cursor: reading.last }
    })
  return file.texts.pipe(
    Stream.filter((text) => {
      if (isClash(text)) clashes.push(text)
      reading.took(text)
      return reading.isNew(text)
    }),
    Stream.concat(Stream.suspend(() => Stream.fromIterable(censusOf(file)))),
    Stream.grouped(maxAnswer.texts),
    Stream.flatMap((texts) => Stream.fromIterable(bounded(texts))),
    Stream.filter(() => ++piece >= from),
    Stream.mapEffect((texts) => answer("texts", JSON.stringify(rows.pieceOf(file.path, texts)))),
    Stream.catch((error: CorpusError) => {
      piece++
      reading.failed()
      const { line, message } = error
      const broken = { file: error.file, ...(line === undefined ? {} : { line }), message }
      return piece < from ? Stream.empty : Stream.fromEffect(answer("broken", JSON.stringify(broken)))
    }),
    Stream.concat(
      Stream.unwrap(
        Effect.sync(() => {
          reading.record(file, clashes)
          const stand = reading.ended()
          return stand === undefined ? Stream.empty : Stream.fromEffect(answer("state", JSON.stringify(stand)))
        })
      )
    )
  )
}

/** Where the next run starts. */
const stateOf = (reading: Reading): Stream.Stream<Fetched> =>
  Stream.fromEffect(
    Effect.map(Clock.currentTimeMillis, (at) => ({
      kind: "state",
      at,
      text: JSON.stringify(reading.stand()),
      cursor: reading.last ?? { file: "", digest: "", piece: 0, before: "" }
    }))
  )

/** What was counted in a file that is read. */
const censusOf = ({ census }: CorpusFile): ReadonlyArray<Census> => {
  const found = census?.()
  return found === undefined ? [] : [found]
}

const bounded = (texts: ReadonlyArray<GovText | Census>): ReadonlyArray<ReadonlyArray<GovText | Census>> => {
  const pieces: Array<Array<GovText | Census>> = []
  let size = Number.POSITIVE_INFINITY
  for (const text of texts) {
    const own = text._tag === "Section" ? text.text.length + text.notes.length : 0
    if (size + own > maxAnswer.characters) {
      pieces.push([])
      size = 0
    }
    pieces.at(-1)?.push(text)
    size += own
  }
  return pieces
}

const readPiece = Schema.decodeEffect(Schema.fromJsonString(rows.Piece))
const readStand = Schema.decodeEffect(Schema.fromJsonString(Stand))
const readBroken = Schema.decodeEffect(Schema.fromJsonString(Broken))

/** A folder that is not mounted, or whose files an error page has replaced, empties no table. */
const emptied = (path: string, { leftOut }: Reading) =>
  new Source.SourceError({
    source: "gov_corpus",
    message: `nothing was read from ${path}: ${leftOut ?? "no file of law is in it; check the path"}`,
    retryable: false
  })

const unreadable = (cause: Schema.SchemaError) =>
  new Source.SourceError({
    source: "gov_corpus",
    message: `an answer in the journal does not belong to this source: ${cause.message}`,
    retryable: false,
    cause
  })

const toSourceError = (cause: CorpusError) =>
  new Source.SourceError({
    source: "gov_corpus",
    message: `${cause.file}: ${cause.message}; check the path`,
    retryable: false,
    cause
  })
