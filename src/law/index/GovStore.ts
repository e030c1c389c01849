/**
 * How the index of government texts is asked: by words, by keys, and for sections.
 *
 * One process may load while another searches; a missing index has no generation and nothing else.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Collection, Level, Status } from "../GovText.ts"
import * as Vocabulary from "../query/Vocabulary.ts"
import type { Fields, Lengths } from "../rank/Relevance.ts"
import * as Stems from "../rank/Stems.ts"
import type { GovWords, Ranked, Sought } from "./GovWords.ts"
import { hasTable, sqliteWords } from "./sqliteWords.ts"

/** A section that may answer. */
export interface Candidate {
  readonly id: number
  readonly url: string
  readonly identity: string
  readonly documentId: number
  readonly number: string
  readonly citation: string
  readonly heading: string
  readonly status: Status
  readonly version: string
  readonly versionDate: string | undefined
  readonly adopted: string | undefined
  readonly effective: string | undefined
  /** The first day on which it is not law any more. */
  readonly effectiveUntil?: string | undefined
}

/** A section with its words. */
interface Found extends Pick<Candidate, "id" | "identity" | "documentId" | "status" | "heading"> {
  readonly words: Fields
}

export class GovStore extends Context.Service<
  GovStore,
  GovWords & {
    /** Changes whenever the index does; undefined: there is none. */
    readonly generation: Effect.Effect<number | undefined, SqlError>
    readonly sections: Effect.Effect<number, SqlError>
    readonly vocabulary: Effect.Effect<Vocabulary.Vocabulary, SqlError>
    /** Sections by keys, with the key that each was found by. */
    readonly keyed: (
      keys: ReadonlyArray<string>
    ) => Effect.Effect<
      ReadonlyArray<{ readonly id: number; readonly key: string; readonly isExact: boolean }>,
      SqlError
    >
    /** The sections that a citation with this beginning of its key names. */
    readonly under: (
      prefix: string
    ) => Effect.Effect<
      ReadonlyArray<{ readonly id: number; readonly key: string; readonly documentId: number }>,
      SqlError
    >
    /** The documents of sections, their status and heading. */
    readonly places: (
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<Pick<Candidate, "id" | "documentId" | "status" | "heading">>, SqlError>
    /** `hasNotes`: with the words of their notes. */
    readonly found: (ids: ReadonlyArray<number>, hasNotes: boolean) => Effect.Effect<ReadonlyArray<Found>, SqlError>
    /** All versions of the sections with these identities. */
    readonly versions: (identities: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Candidate>, SqlError>
    readonly texts: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyMap<number, string>, SqlError>
    /** The average length of each field of a section, in characters, from a sample of the sections. */
    readonly lengths: Effect.Effect<Lengths, SqlError>
  }
>()("millrace/service/search/GovStore") {
  static readonly layer = Layer.effect(
    GovStore,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const words = yield* sql.onDialectOrElse({ orElse: () => sqliteWords, pg: () => postgresWords })

  const generation = Effect.gen(function* () {
    if (!(yield* hasTable(sql, "gov_state"))) return undefined
    const [state] = yield* sql<{ generation: number }>`SELECT generation FROM gov_state`
    return state?.generation
  })

  const sections = Effect.flatMap(generation, (known) =>
    known === undefined
      ? Effect.succeed(0)
      : Effect.map(sql<{ n: number }>`SELECT count(*) AS n FROM gov_section`, ([row]) => Number(row?.n ?? 0))
  )

  const columns = columnsOf(sql)

  // An index of an earlier form has nothing of it until the next load, which may come while this process answers.
  let isCitedThere = false
  const hasCited = Effect.gen(function* () {
    isCitedThere ||= yield* hasTable(sql, "gov_cited")
    return isCitedThere
  })
  const cited = Effect.map(hasCited, (isThere) =>
    sql.literal(isThere ? "gov_cited" : "(SELECT 0 AS section_id, '' AS cited) AS gov_cited")
  )

  let isGistThere = false
  const gists = Effect.gen(function* () {
    isGistThere ||= yield* hasTable(sql, "gov_gist")
    return sql.literal(
      isGistThere ? "gov_gist" : "(SELECT 0 AS section_id, NULL AS stems, NULL AS note_stems) AS gov_gist"
    )
  })

  return GovStore.of({
    generation,
    sections,
    vocabulary: vocabularyOf(sql),
    ...words,
    saidOf: (any, limit) =>
      Effect.flatMap(hasCited, (isThere) => (isThere ? words.saidOf(any, limit) : Effect.succeed([]))),
    keyed: Effect.fnUntraced(function* (keys) {
      if (!Arr.isReadonlyArrayNonEmpty(keys)) return []
      const rows = yield* sql<{ key: string; section_id: number; is_exact: number }>`
        SELECT key, section_id, is_exact FROM gov_key WHERE key IN ${sql.in(keys)} ORDER BY section_id LIMIT 5000`
      return rows.map((row) => ({ id: row.section_id, key: row.key, isExact: row.is_exact === 1 }))
    }),
    under: under(sql),
    places: Effect.fnUntraced(function* (ids) {
      if (!Arr.isReadonlyArrayNonEmpty(ids)) return []
      const rows = yield* sql<Pick<SectionRow, "id" | "document_id" | "status" | "heading">>`
        SELECT id, document_id, status, heading FROM gov_section WHERE id IN ${sql.in(ids)}`
      return rows.map(({ document_id, ...row }) => ({ ...row, documentId: document_id }))
    }),
    found: foundIn(sql, gists, cited),
    texts: Effect.fnUntraced(function* (ids) {
      if (!Arr.isReadonlyArrayNonEmpty(ids)) return new Map()
      const rows = yield* sql<{ id: number; body: string }>`SELECT id, body FROM gov_section WHERE id IN ${sql.in(ids)}`
      return new Map(rows.map(({ body, id }) => [id, body]))
    }),
    lengths: Effect.gen(function* () {
      return yield* lengthsOf(sql, yield* sections, yield* gists, yield* cited)
    }),
    versions: Effect.fnUntraced(function* (identities) {
      if (!Arr.isReadonlyArrayNonEmpty(identities)) return []
      const rows = yield* sql<SectionRow>`
        SELECT ${yield* columns} FROM gov_section WHERE identity IN ${sql.in(identities)} ORDER BY id`
      return rows.map(candidateOf)
    })
  })
})

const foundIn = <E>(sql: SqlClient.SqlClient, gists: Effect.Effect<Fragment, E>, cited: Effect.Effect<Fragment, E>) =>
  Effect.fnUntraced(function* (ids: ReadonlyArray<number>, hasNotes: boolean) {
    if (!Arr.isReadonlyArrayNonEmpty(ids)) return []
    const noteColumns = sql.literal(
      hasNotes ? "note_stems, CASE WHEN stems IS NULL THEN notes END AS notes" : "NULL AS note_stems, NULL AS notes"
    )
    const rows = yield* sql<FoundRow>`
        SELECT id, identity, document_id, status, heading, coalesce(cited, '') AS cited, stems, ${noteColumns},
          CASE WHEN stems IS NULL THEN context END AS context, CASE WHEN stems IS NULL THEN body END AS body
        FROM gov_section LEFT JOIN ${yield* gists} ON gov_gist.section_id = id
        LEFT JOIN ${yield* cited} ON gov_cited.section_id = id WHERE id IN ${sql.in(ids)}`
    return rows.map((row): Found => {
      const { document_id, heading, id, identity, status } = row
      return { id, identity, documentId: document_id, status, heading, words: wordsOf(row) }
    })
  })

const under = (sql: SqlClient.SqlClient) => (prefix: string) =>
  Effect.map(
    sql<{ id: number; key: string; document_id: number }>`
      SELECT s.id, k.key, s.document_id FROM gov_key k JOIN gov_section s ON s.id = k.section_id
      WHERE k.is_exact = 1 AND ${sql.onDialectOrElse({
        orElse: () => sql`k.key GLOB ${`${prefix}*`}`,
        pg: () => sql`starts_with(k.key, ${prefix})`
      })} ORDER BY s.id`,
    (rows) => rows.map(({ document_id, ...row }) => ({ ...row, documentId: document_id }))
  )

/** An index of an earlier form has no day on which a text ends until the next load, which may come while this process answers. */
const columnsOf = (sql: SqlClient.SqlClient) => {
  let until = "NULL AS effective_until"
  return Effect.gen(function* () {
    if (until !== "effective_until") {
      const [state] = yield* sql<{ form: number }>`SELECT max(form) AS form FROM gov_state`
      if ((state?.form ?? 0) >= 4) until = "effective_until"
    }
    return sql.literal(
      `id, url, identity, document_id, number, citation, heading, status, version, version_date, adopted, effective, ${until}`
    )
  })
}

const vocabularyOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<DocumentRow>`SELECT id, identity, title, names, issuer, level, jurisdiction, collection, collection_name, version,
      version_date FROM gov_document ORDER BY id`,
    (rows) => Vocabulary.ofDocuments(rows.map(knownOf))
  )

const lengthsOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  sections: number,
  gists: Fragment,
  cited: Fragment
) {
  const each = Math.max(1, Math.floor(sections / manyForLengths))
  const heads = yield* sql<{ head: Uint8Array | null; notes: number | null }>`
    SELECT substr(stems, 1, ${Stems.headBytes}) AS head, length(note_stems) AS notes FROM ${gists}
    WHERE section_id % ${each} = 0`
  const [said] = yield* sql<{ letters: number | null }>`
    SELECT avg(length(cited)) AS letters FROM ${cited} WHERE section_id % ${each} = 0`
  const sums = { heading: 0, context: 0, body: 0, notes: 0 }
  for (const { head, notes } of heads) {
    const [heading = 0, context = 0, body = 0] = head === null ? [] : Stems.ofBytes(head)
    sums.heading += heading
    sums.context += context
    sums.body += body
    sums.notes += (notes ?? 0) / 4
  }
  const averageOf = (field: keyof typeof sums): number =>
    heads.length === 0 ? usual[field] : sums[field] / heads.length
  return {
    heading: averageOf("heading"),
    context: averageOf("context"),
    body: averageOf("body"),
    notes: averageOf("notes"),
    cited: Number(said?.letters ?? 1) / lettersOfWord
  }
})

/** In an index that does not have the words of its sections. */
const usual = { heading: 6, context: 40, body: 450, notes: 200 }

/** With the blank behind it. */
const lettersOfWord = 6

/** The size of the sample for the average lengths. */
const manyForLengths = 2_000

interface DocumentRow {
  readonly id: number
  readonly identity: string
  readonly title: string
  readonly names: string
  readonly issuer: string
  readonly level: Level
  readonly jurisdiction: string
  readonly collection: Collection
  readonly collection_name: string
  readonly version: string
  readonly version_date: string | null
}

const knownOf = (row: DocumentRow): Vocabulary.KnownDocument => ({
  id: row.id,
  identity: row.identity,
  title: row.title,
  names: namesOf(row.names),
  issuer: row.issuer,
  level: row.level,
  jurisdiction: row.jurisdiction,
  collection: row.collection,
  collectionName: row.collection_name,
  version: row.version,
  versionDate: row.version_date ?? undefined
})

const namesOf = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))

interface SectionRow {
  readonly id: number
  readonly url: string
  readonly identity: string
  readonly document_id: number
  readonly number: string
  readonly citation: string
  readonly heading: string
  readonly status: Status
  readonly version: string
  readonly version_date: string | null
  readonly adopted: string | null
  readonly effective: string | null
  readonly effective_until: string | null
}

interface FoundRow extends Pick<SectionRow, "id" | "identity" | "document_id" | "status" | "heading"> {
  readonly cited: string
  readonly stems: Uint8Array | null
  readonly note_stems: Uint8Array | null
  /** Of a section that an earlier form of the index holds. */
  readonly context: string | null
  readonly body: string | null
  readonly notes: string | null
}

const wordsOf = ({ body, cited, context, heading, note_stems, notes, stems }: FoundRow): Fields => ({
  ...(stems === null
    ? { heading: Stems.of(heading), context: Stems.of(context ?? ""), body: Stems.of(body ?? "") }
    : Stems.unpacked(stems)),
  cited: Stems.of(cited),
  notes: note_stems === null ? Stems.of(notes ?? "") : Stems.ofBytes(note_stems)
})

const candidateOf = (row: SectionRow): Candidate => ({
  id: row.id,
  url: row.url,
  identity: row.identity,
  documentId: row.document_id,
  number: row.number,
  citation: row.citation,
  heading: row.heading,
  status: row.status,
  version: row.version,
  versionDate: row.version_date ?? undefined,
  adopted: row.adopted ?? undefined,
  effective: row.effective ?? undefined,
  effectiveUntil: row.effective_until ?? undefined
})

/**
 * Finding by words in Postgres: its own full text, each word ranked apart and weighed by how rare it is.
 *
 * Postgres's rank knows no rarity, so what is searched for comes with its weight. Words that it leaves out of its index are
 * in every section, for all it can say.
 */
const postgresWords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const phrase = (text: string) => sql`phraseto_tsquery('english', ${text})`
  const joined = (texts: ReadonlyArray<string>, between: "||" | "&&") =>
    texts.map(phrase).reduce((left, right) => sql`${left} ${sql.literal(between)} ${right}`)
  // Heading, context, body, notes; Postgres takes them from the last to the first.
  const weights = sql.literal("'{0.05, 0.2, 0.4, 1.0}'")
  const rankOf = (any: ReadonlyArray<Sought>) =>
    any
      .map(({ text, weight }) => sql`${weight}::float8 * ts_rank(${weights}, f.vector, ${phrase(text)}, 1)`)
      .reduce((left, right) => sql`${left} + ${right}`)

  const words: GovWords = {
    having: Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
      if (words.length === 0) return new Map<string, number>()
      const rows = yield* sql<{ word: string; sections: number }>`
        SELECT a.word, CASE WHEN a.stem IS NULL THEN ${everySection}::int ELSE coalesce(w.doc, 0) END AS sections
        FROM (SELECT word, (tsvector_to_array(to_tsvector('english', word)))[1] AS stem
          FROM json_array_elements_text(${JSON.stringify(words)}::json) AS word) a
        LEFT JOIN gov_word w ON w.term = a.stem`
      return new Map(rows.map(({ sections, word }) => [word, sections]))
    }),
    matching: Effect.fnUntraced(function* (any, all, { documents, limit }) {
      const sought = all.length > 0 ? all.map((text) => ({ text, weight: 1 })) : any
      // What stands in a subquery of its own is unpacked once, and not again for each word.
      const of = (some: ReadonlyArray<number>) => sql<Ranked>`SELECT f.id, (${rankOf(sought)})::float8 AS rank FROM (
          SELECT s.id, s.vector || ''::tsvector AS vector FROM gov_section s
          WHERE s.vector @@ (${joined(
            sought.map(({ text }) => text),
            all.length > 0 ? "&&" : "||"
          )})
          ${some.length === 0 ? sql.literal("") : sql`AND s.document_id IN ${sql.in([...some])}`}
          OFFSET 0
        ) f ORDER BY rank DESC, f.id LIMIT ${limit}`
      const everywhere = yield* of([])
      return { everywhere, there: documents.length === 0 || everywhere.length < limit ? [] : yield* of(documents) }
    }),
    saidOf: (any: ReadonlyArray<Sought>, limit: number) =>
      sql<Ranked>`SELECT f.id, (${rankOf(any)})::float8 AS rank FROM (
          SELECT section_id AS id, vector || ''::tsvector AS vector FROM gov_cited
          WHERE vector @@ (${joined(
            any.map(({ text }) => text),
            "||"
          )}) OFFSET 0
        ) f ORDER BY rank DESC, f.id LIMIT ${limit}`
  }
  return words
})

/** More than any index has. */
const everySection = 1_000_000_000
