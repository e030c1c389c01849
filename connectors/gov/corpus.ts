/**
 * The source of government texts: a folder of files of law, as documents and sections.
 *
 * The law: a file whose digest the last run knew is not read again. An answer is a piece of one file, and no longer than its
 * texts need; a file that is broken is a reject with its line, and the others go on. A run that was killed goes on behind the
 * piece that it kept last; where a file has changed since, the checkpoint does not say that it is known.
 */
import { createHash } from "node:crypto"
import * as Path from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { CorpusFile } from "../../src/gov/corpus/Corpus.ts"
import type { CorpusError } from "../../src/gov/corpus/CorpusError.ts"
import { settings } from "../../src/gov/corpus/Settings.ts"
import type { GovText } from "../../src/gov/GovText.ts"
import * as Checkpoint from "../../src/pipeline/Checkpoint.ts"
import * as Place from "../../src/pipeline/Place.ts"
import * as Source from "../../src/pipeline/Source.ts"
import * as Table from "../../src/pipeline/Table.ts"
import * as rows from "./rows.ts"
import * as tables from "./tables.ts"

const Options = Schema.Struct({
  path: Place.path.annotate({
    description: "a folder of files of law, or one file; relative to the pipeline file"
  }),
  ...settings
})
type Options = typeof Options.Type

/** The digests of the files that are done, by their paths. */
const State = Schema.Struct({ files: Schema.Record(Schema.String, Schema.String) })
type State = typeof State.Type

const Cursor = Schema.Struct({
  file: Schema.String,
  digest: Schema.String,
  /** Which piece of the file, from 0. */
  piece: Schema.Int,
  /** Of the paths and digests of all files before it: whether they are still what was read. */
  before: Schema.String
})
type Cursor = typeof Cursor.Type

/** A state as it is answered, with how many files there were so far. */
const Stand = Schema.Struct({ state: State, discovered: Schema.Int, failed: Schema.Int })
type Stand = typeof Stand.Type

const Broken = Schema.Struct({ file: Schema.String, line: Schema.optionalKey(Schema.Int), message: Schema.String })

export const govCorpus = Source.make({
  type: "gov_corpus",
  description: "government texts from files: codes, regulations, Acts, bills, ordinances",
  options: Options,
  state: State,
  cursor: Cursor,
  tables: () => [tables.sections, tables.documents],
  ask: (options, from) => Stream.provide(ask(options, from), Layer.mergeAll(NodeFileSystem.layer, NodePath.layer)),
  parse: Effect.fnUntraced(function* (_, answer) {
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

type Elements = ReadonlyArray<Source.Element<State>>
type Asked = Source.Asked<Cursor>

/** Loaded when it is used: a command that reads no corpus does not wait for its parser. */
const corpus = Effect.promise(() => import("../../src/gov/corpus/Corpus.ts"))

/** How many texts, and about how many characters, an answer holds; one text is never cut. */
const most = { texts: 100, characters: 1_000_000 }

const ask = ({ path, ...options }: Options, { after, directory, start }: Source.From<State, Cursor>) =>
  Stream.suspend(() => {
    const known = Option.match(start, { onNone: () => ({}), onSome: ({ files }) => files })
    const reading = new Reading(known, Option.getOrUndefined(after))
    const files = Stream.unwrap(
      Effect.map(corpus, (room) => Stream.mapError(room.files(Path.resolve(directory, path), options), toSourceError))
    )
    return Stream.flatMap(files, (file) => Stream.unwrap(Effect.sync(() => answersOf(reading, file)))).pipe(
      Stream.concat(Stream.unwrap(Effect.sync(() => stateOf(reading))))
    )
  })

/** What of the files is done, as they come in their order. */
class Reading {
  /** Digests of files that are read, or were known. */
  private done: Record<string, string> = {}
  private chain = ""
  private read = 0
  private since = 0
  private files = 0
  private broken = 0
  private readonly known: State["files"]
  /** Where reading goes on, until that is reached. */
  private after: Cursor | undefined
  last: Cursor | undefined

  constructor(known: State["files"], after: Cursor | undefined) {
    this.known = known
    this.after = after
    this.last = after
  }

  /** From which piece on a file is read; nothing where none of it is. */
  begin({ path, sha256 }: CorpusFile): { readonly cursor: Cursor; readonly from: number } | undefined {
    const cursor = { file: path, digest: sha256, piece: 0, before: this.chain }
    const { after } = this
    this.files++
    this.chain = createHash("sha256")
      .update(JSON.stringify([this.chain, path, sha256]))
      .digest("base64url")
    this.done[path] = sha256
    if (after === undefined) return this.known[path] === sha256 ? undefined : { cursor, from: 0 }
    if (path !== after.file) return undefined
    this.after = undefined
    // What stood before has changed since it was read: no checkpoint may say that it is known.
    if (after.before !== cursor.before) this.done = { [path]: sha256 }
    return { cursor, from: after.digest === sha256 ? after.piece + 1 : 0 }
  }

  /** After a file: the state, where it is time to say it. Seldom, since it grows with the files. */
  ended(): Stand | undefined {
    this.read++
    this.since++
    if (this.since * 4 < this.read) return undefined
    this.since = 0
    return this.stand()
  }

  failed(): void {
    this.broken++
  }

  stand(): Stand {
    return { state: { files: this.done }, discovered: this.files, failed: this.broken }
  }
}

const answersOf = (reading: Reading, file: CorpusFile): Stream.Stream<Asked, Source.SourceError> => {
  const begun = reading.begin(file)
  if (begun === undefined) return Stream.empty
  const { cursor, from } = begun
  let piece = -1
  const answer = (kind: string, text: string): Effect.Effect<Asked> =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      reading.last = { ...cursor, piece: Math.max(piece, 0) }
      return { kind, at, text, cursor: reading.last }
    })
  return file.texts.pipe(
    Stream.grouped(most.texts),
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
          const stand = reading.ended()
          return stand === undefined ? Stream.empty : Stream.fromEffect(answer("state", JSON.stringify(stand)))
        })
      )
    )
  )
}

/** Where the next run starts. */
const stateOf = (reading: Reading): Stream.Stream<Asked> =>
  Stream.fromEffect(
    Effect.map(Clock.currentTimeMillis, (at) => ({
      kind: "state",
      at,
      text: JSON.stringify(reading.stand()),
      cursor: reading.last ?? { file: "", digest: "", piece: 0, before: "" }
    }))
  )

const bounded = (texts: ReadonlyArray<GovText>): ReadonlyArray<ReadonlyArray<GovText>> => {
  const pieces: Array<Array<GovText>> = []
  let size = Number.POSITIVE_INFINITY
  for (const text of texts) {
    const own = text._tag === "Section" ? text.text.length + text.notes.length : 0
    if (size + own > most.characters) {
      pieces.push([])
      size = 0
    }
    pieces.at(-1)?.push(text)
    size += own
  }
  return pieces
}

const elementsOf = (at: number, { file, texts }: rows.Piece): Elements => {
  const context = { at, file }
  const documents = texts.flatMap((text) => (text._tag === "Document" ? [rows.document(context, text)] : []))
  const sections = texts.flatMap((text) => (text._tag === "Section" ? [rows.section(context, text)] : []))
  return [
    ...(documents.length === 0 ? [] : [Table.batch(tables.documents, documents)]),
    ...(sections.length === 0 ? [] : [Table.batch(tables.sections, sections)])
  ]
}

const standOf = ({ discovered, failed, state }: Stand): Elements => [
  Source.progress({ discovered, read: discovered - failed, failed }),
  Checkpoint.make<State>(state)
]

const rejectOf = (broken: typeof Broken.Type): Source.Reject => ({
  _tag: "Reject",
  table: tables.sections,
  reason: `${broken.file}${broken.line === undefined ? "" : `:${broken.line}`}: ${broken.message}`,
  raw: broken
})

const readPiece = Schema.decodeEffect(Schema.fromJsonString(rows.Piece))
const readStand = Schema.decodeEffect(Schema.fromJsonString(Stand))
const readBroken = Schema.decodeEffect(Schema.fromJsonString(Broken))

const unreadable = (cause: Schema.SchemaError) =>
  new Source.SourceError({
    source: "gov_corpus",
    message: `an answer of the journal is not one of this source: ${cause.message}`,
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
