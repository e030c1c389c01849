/**
 * Loads a corpus of government texts into the index, file by file.
 *
 * The law: a file is one transaction: it is loaded whole or not at all, and a broken one leaves what it had before. A file
 * whose digest is known is not read, a section whose digest is known is not indexed again. What a file no longer says is
 * taken out; other versions have other addresses and stay.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CorpusFile } from "../../../gov/corpus/Corpus.ts"
import type { CorpusError } from "../../../gov/corpus/CorpusError.ts"
import type { GovSection, GovText, Skipped } from "../../../gov/GovText.ts"
import * as GovWriter from "./GovWriter.ts"

export interface Loaded {
  readonly file: CorpusFile
  readonly documents: number
  readonly sections: number
  /** Of these sections: those that were not in the index, or not like this. */
  readonly written: number
  /** Sections that it no longer has. */
  readonly removed: number
  /** Whether its digest was known, so that it was not read. */
  readonly isKnown: boolean
  readonly skipped: ReadonlyArray<Skipped>
  /** Why it was not loaded. */
  readonly failed?: CorpusError
}

/**
 * `root`: what names the corpus in the index, as its absolute path does. The tables are there (`GovSchema.ensure`), and who
 * loads says so at the end (`GovSchema.changed`).
 */
export const load = <E, R>(
  root: string,
  files: Stream.Stream<CorpusFile, E, R>
): Stream.Stream<Loaded, E | SqlError, R | SqlClient.SqlClient> =>
  Stream.mapEffect(files, (file) => loadFile(pathOf(root, file.path), file))

/** Takes out the files of a corpus that are not among these. Tells how many. */
export const prune = Effect.fn("GovLoader.prune")(function* (root: string, files: ReadonlySet<string>) {
  const sql = yield* SqlClient.SqlClient
  const from = pathOf(root, "")
  const known = yield* sql<{ id: number; path: string }>`SELECT id, path FROM gov_file
    WHERE substr(path, 1, ${from.length}) = ${from}`
  const gone = known.filter(({ path }) => !files.has(path.slice(from.length)))
  let sections = 0
  for (const { id } of gone) {
    const held = yield* GovWriter.held(id)
    yield* GovWriter.remove(held.map((one) => one.id))
    yield* sql`DELETE FROM gov_file WHERE id = ${id}`
    sections += held.length
  }
  yield* sql`DELETE FROM gov_document WHERE id NOT IN (SELECT document_id FROM gov_section)`
  return { files: gone.length, sections }
}, withTransaction)

function withTransaction<A, E, R>(self: Effect.Effect<A, E, R>) {
  return Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(self))
}

const pathOf = (root: string, file: string): string => `${root}/${file}`

const loadFile = Effect.fnUntraced(function* (path: string, file: CorpusFile) {
  const sql = yield* SqlClient.SqlClient
  const [known] = yield* sql<{ id: number; digest: string; documents: number; sections: number }>`
    SELECT id, digest, documents, sections FROM gov_file WHERE path = ${path}`
  if (known?.digest === file.sha256) {
    const { documents, sections } = known
    return { ...nothing(file), documents, sections, isKnown: true }
  }
  return yield* withTransaction(read(path, known?.id, file)).pipe(
    Effect.catchTag("CorpusError", (failed) => Effect.succeed<Loaded>({ ...nothing(file), failed }))
  )
})

const nothing = (file: CorpusFile): Loaded => ({
  file,
  documents: 0,
  sections: 0,
  written: 0,
  removed: 0,
  isKnown: false,
  skipped: []
})

const read = Effect.fnUntraced(function* (path: string, knownId: number | undefined, file: CorpusFile) {
  const sql = yield* SqlClient.SqlClient
  const fileId = knownId ?? (yield* GovWriter.begin(path))
  const left = new Map((yield* GovWriter.held(fileId)).map((row) => [row.url, row.id]))
  const documents: GovWriter.Documents = new Map()
  const told = new Set<string>()
  const skipped: Array<Skipped> = []
  let sections = 0
  let written = 0

  const take = Effect.fnUntraced(function* (texts: ReadonlyArray<GovText>) {
    // A document comes before its sections, so all of a batch may be put before any of its sections.
    for (const text of texts) {
      if (text._tag === "Document")
        documents.set(text.identity, { document: text, id: yield* GovWriter.putDocument(text) })
      if (text._tag === "Document") told.add(text.identity)
      if (text._tag === "Skipped") skipped.push(text)
    }
    const batch = new Map(texts.filter(isSection).map((section) => [section.url, section]))
    for (const url of batch.keys()) left.delete(url)
    sections += batch.size
    written += yield* GovWriter.putSections([...batch.values()], fileId, documents)
  })

  yield* Stream.runForEachArray(Stream.rechunk(file.texts, batchSize), take)
  yield* GovWriter.remove([...left.values()])
  yield* sql`UPDATE gov_file SET digest = ${file.sha256}, documents = ${told.size}, sections = ${sections}
    WHERE id = ${fileId}`
  return { ...nothing(file), documents: told.size, sections, written, removed: left.size, skipped }
})

const batchSize = 100

const isSection = (text: GovText): text is GovSection => text._tag === "Section"
