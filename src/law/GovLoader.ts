/**
 * Loads a corpus of government texts into the index, file by file.
 *
 * Guarantee: a file is one transaction: it is loaded completely or not at all, and a broken file leaves what the index had
 * before, as does one that has no section any more. A file whose digest is known is not read, and a section whose digest
 * is known is not indexed again. What a file no longer contains is removed; other versions have other addresses and stay.
 * The reported numbers of a file are what the index has: a file that lacks a section, or had one that another file has
 * too, is read again.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CorpusFile } from "./Corpus.ts"
import { CorpusError } from "./CorpusSettings.ts"
import { Census } from "./corpus/Census.ts"
import { form } from "./GovSchema.ts"
import type { GovSection, GovText, Rejected, Skipped } from "./GovText.ts"
import * as GovWriter from "./index/GovWriter.ts"

export interface Loaded {
  readonly file: CorpusFile
  /** Their identities and versions. Several files may contain the same document. */
  readonly documents: ReadonlyArray<string>
  readonly sections: number
  /** How many of its sections are new or have changed. */
  readonly written: number
  /** How many sections were removed because the file no longer contains them. */
  readonly removed: number
  /** Whether its digest was known, so that it was not read. */
  readonly isKnown: boolean
  readonly skipped: ReadonlyArray<Skipped>
  /** Sections that are not in the index because another section has their name. */
  readonly rejected: ReadonlyArray<Rejected>
  /** What was counted in it; undefined: it is not a file of law, or an earlier version of Millrace has read it. */
  readonly census?: Census
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
  Stream.suspend(() => {
    const passed = new Set<number>()
    return Stream.mapEffect(files, (file) => loadFile(pathOf(root, ""), file, passed))
  })

/** Removes the files of a corpus that are not among these. Returns how many. */
export const prune = Effect.fn("GovLoader.prune")(function* (root: string, files: ReadonlySet<string>) {
  const sql = yield* SqlClient.SqlClient
  const from = pathOf(root, "")
  const known = yield* sql<{ id: number; path: string }>`SELECT id, path FROM gov_file
    WHERE substr(path, 1, ${from.length}) = ${from}`
  const gone = known.filter(({ path }) => !files.has(path.slice(from.length)))
  let sections = 0
  for (const { id } of gone) {
    const sectionRows = yield* GovWriter.sectionsOf(id)
    yield* GovWriter.remove(sectionRows.map((one) => one.id))
    yield* sql`DELETE FROM gov_file WHERE id = ${id}`
    sections += sectionRows.length
  }
  yield* sql`DELETE FROM gov_document WHERE id NOT IN (SELECT document_id FROM gov_section)`
  return { files: gone.length, sections }
}, withTransaction)

/** Compares the number of sections in the index with the reported number, for these files of a corpus. */
export const compare = Effect.fn("GovLoader.compare")(function* (root: string, files: ReadonlySet<string>) {
  const sql = yield* SqlClient.SqlClient
  const from = pathOf(root, "")
  const rows = yield* sql<{ path: string; told: number; counted: number }>`
    SELECT f.path, f.sections AS told, count(s.id) AS counted FROM gov_file f
    LEFT JOIN gov_section s ON s.file_id = f.id
    WHERE substr(f.path, 1, ${from.length}) = ${from} GROUP BY f.id, f.path, f.sections`
  const own = rows
    .map(({ counted, path, told }) => ({ file: path.slice(from.length), told, counted: Number(counted) }))
    .filter(({ file }) => files.has(file))
  return {
    sections: own.reduce((sum, { counted }) => sum + counted, 0),
    differences: own.filter(({ counted, told }): boolean => counted !== told)
  }
})

/** Files of other folders that an earlier form of the index has: they answer as they did until they are loaded again. */
export const older = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ files: number; path: string | null }>`
    SELECT count(*) AS files, min(path) AS path FROM gov_file WHERE form < ${form} AND sections > 0`
  return { files: Number(row?.files ?? 0), such: row?.path ?? "" }
})

function withTransaction<A, E, R>(self: Effect.Effect<A, E, R>) {
  return Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(self))
}

const pathOf = (root: string, file: string): string => `${root}/${file}`

const loadFile = Effect.fnUntraced(function* (root: string, file: CorpusFile, passed: Set<number>) {
  const sql = yield* SqlClient.SqlClient
  const path = `${root}${file.path}`
  const [known] = yield* sql<{ id: number; digest: string; sections: number; told: string; held: number }>`
    SELECT id, digest, sections, told, (SELECT count(*) FROM gov_section WHERE file_id = gov_file.id) AS held
    FROM gov_file WHERE path = ${path}`
  if (known?.digest === file.sha256 && Number(known.held) === known.sections) {
    passed.add(known.id)
    return { ...nothing(file), ...toldOf(known.told), sections: known.sections, isKnown: true }
  }
  const { id, ...loaded } = yield* withTransaction(read(root, known?.id, file, passed)).pipe(
    Effect.catchTag("CorpusError", (failed) => Effect.succeed({ ...nothing(file), failed, id: undefined }))
  )
  if (id !== undefined) passed.add(id)
  return loaded
})

const nothing = (file: CorpusFile): Loaded => ({
  file,
  documents: [],
  sections: 0,
  written: 0,
  removed: 0,
  isKnown: false,
  skipped: [],
  rejected: []
})

const read = Effect.fnUntraced(function* (
  root: string,
  knownId: number | undefined,
  file: CorpusFile,
  passed: ReadonlySet<number>
) {
  const sql = yield* SqlClient.SqlClient
  const id = knownId ?? (yield* GovWriter.begin(`${root}${file.path}`))
  const left = new Map((yield* GovWriter.sectionsOf(id)).map((row) => [row.url, row.id]))
  const documents: GovWriter.Documents = new Map()
  const documentNames = new Set<string>()
  const skipped: Array<Skipped> = []
  const rejected: Array<Rejected> = []
  let sections = 0
  let written = 0

  const take = Effect.fnUntraced(function* (texts: ReadonlyArray<GovText>) {
    // A document comes before its sections, so all of a batch may be put before any of its sections.
    for (const text of texts) {
      if (text._tag === "Document") {
        documents.set(text.identity, { document: text, id: yield* GovWriter.putDocument(text) })
        documentNames.add(`${text.identity} ${text.version}`)
      }
      if (text._tag === "Skipped") skipped.push(text)
      if (text._tag === "Rejected") rejected.push(text)
    }
    const own = { id, path: file.path, root, passed }
    const put = yield* GovWriter.putSections(texts.filter(isSection), own, documents)
    const out = new Set(put.rejected.map(({ section }) => section.url))
    for (const text of texts) if (isSection(text) && !out.has(text.url)) left.delete(text.url)
    sections += put.sections
    written += put.written
    for (const section of put.skipped) skipped.push(section)
    for (const section of put.rejected) rejected.push(section)
  })

  yield* Stream.runForEachArray(Stream.rechunk(file.texts, batchSize), take)
  // A file that depends on another file is read again in the next load, because the other file may have changed.
  const depends = rejected.length > 0 || skipped.some(({ other }) => other !== undefined)
  if (sections === 0 && left.size > 0 && !depends) return yield* emptied(file.path, left.size, skipped)
  yield* GovWriter.remove([...left.values()])
  const census = file.census?.()
  const counted = census === undefined ? {} : { census }
  const facts = encodeTold({ documents: [...documentNames], skipped, ...counted })
  yield* sql`UPDATE gov_file SET digest = ${depends ? "" : file.sha256}, documents = ${documentNames.size}, sections = ${sections},
    told = ${facts}, form = ${form} WHERE id = ${id}`
  return {
    ...nothing(file),
    id,
    documents: [...documentNames],
    sections,
    written,
    removed: left.size,
    skipped,
    rejected,
    ...counted
  }
})

/** The error for a file that lost all sections. These stay in the index: the file may be cut off or an error page. */
const emptied = (file: string, sectionCount: number, skipped: ReadonlyArray<Skipped>): CorpusError => {
  const why = skipped.find(({ line }) => line === undefined)?.why
  const remains = sectionCount === 1 ? "the section that it had stays" : `the ${sectionCount} sections that it had stay`
  const message = `it has no section any more${why === undefined ? "" : ` (${why})`}; ${remains} in the index: delete the file and load with --prune to remove what it had`
  return new CorpusError({ file, message })
}

const batchSize = 100

const isSection = (text: GovText): text is GovSection => text._tag === "Section"

/** What a file that is not read again says beside its sections. */
const FileReport = Schema.Struct({
  documents: Schema.Array(Schema.String),
  skipped: Schema.Array(
    Schema.Struct({
      _tag: Schema.Literal("Skipped"),
      file: Schema.String,
      line: Schema.optionalKey(Schema.Int),
      why: Schema.String,
      other: Schema.optionalKey(Schema.String)
    })
  ),
  census: Schema.optionalKey(Census)
})
const encodeTold = Schema.encodeSync(Schema.fromJsonString(FileReport))
const toldOf = Schema.decodeUnknownSync(Schema.fromJsonString(FileReport))
