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
import type { GovWords, Ranked, Sought } from "./GovWords.ts"

/** A section that may answer. */
export interface Candidate {
  readonly id: number
  readonly url: string
  readonly identity: string
  readonly documentId: number
  readonly number: string
  readonly citation: string
  readonly heading: string
  readonly context: string
  readonly status: Status
  readonly version: string
  readonly versionDate: string | undefined
  readonly adopted: string | undefined
  readonly effective: string | undefined
  /** The first day on which it is not law any more. */
  readonly effectiveUntil?: string | undefined
}

/** A section with the texts that are searched for words. */
interface Found extends Candidate, Fields {}

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
    readonly found: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Found>, SqlError>
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
    found: Effect.fnUntraced(function* (ids) {
      if (!Arr.isReadonlyArrayNonEmpty(ids)) return []
      const rows = yield* sql<SectionRow & { readonly body: string; readonly cited: string }>`
        SELECT ${yield* columns}, body, coalesce(cited, '') AS cited FROM gov_section
        LEFT JOIN ${yield* cited} ON section_id = id WHERE id IN ${sql.in(ids)}`
      return rows.map((row): Found => ({ ...candidateOf(row), body: row.body, cited: row.cited }))
    }),
    texts: Effect.fnUntraced(function* (ids) {
      if (!Arr.isReadonlyArrayNonEmpty(ids)) return new Map()
      const rows = yield* sql<{ id: number; body: string }>`SELECT id, body FROM gov_section WHERE id IN ${sql.in(ids)}`
      return new Map(rows.map(({ body, id }) => [id, body]))
    }),
    lengths: Effect.gen(function* () {
      return yield* lengthsOf(sql, yield* sections, yield* cited)
    }),
    versions: Effect.fnUntraced(function* (identities) {
      if (!Arr.isReadonlyArrayNonEmpty(identities)) return []
      const rows = yield* sql<SectionRow>`
        SELECT ${yield* columns} FROM gov_section WHERE identity IN ${sql.in(identities)} ORDER BY id`
      return rows.map(candidateOf)
    })
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
      `id, url, identity, document_id, number, citation, heading, context, status, version, version_date, adopted, effective, ${until}`
    )
  })
}

const hasTable = (sql: SqlClient.SqlClient, table: string) =>
  Effect.map(
    sql.onDialectOrElse({
      orElse: () => sql`SELECT name FROM sqlite_master WHERE name = ${table}`,
      pg: () => sql`SELECT 1 AS name WHERE to_regclass(${table}) IS NOT NULL`
    }),
    (tables) => tables.length > 0
  )

const vocabularyOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<DocumentRow>`SELECT id, identity, title, names, issuer, level, jurisdiction, collection, collection_name, version,
      version_date FROM gov_document ORDER BY id`,
    (rows) => Vocabulary.ofDocuments(rows.map(knownOf))
  )

const lengthsOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, sections: number, cited: Fragment) {
  const each = Math.max(1, Math.floor(sections / manyForLengths))
  const [row] = yield* sql<Lengths>`SELECT avg(length(heading)) AS heading, avg(length(context)) AS context,
    avg(length(body)) AS body, (SELECT avg(length(cited)) FROM ${cited} WHERE section_id % ${each} = 0) AS cited
    FROM gov_section WHERE id % ${each} = 0`
  return {
    heading: Number(row?.heading ?? 1),
    context: Number(row?.context ?? 1),
    cited: Number(row?.cited ?? 1),
    body: Number(row?.body ?? 1)
  }
})

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
  readonly context: string
  readonly status: Status
  readonly version: string
  readonly version_date: string | null
  readonly adopted: string | null
  readonly effective: string | null
  readonly effective_until: string | null
}

const candidateOf = (row: SectionRow): Candidate => ({
  id: row.id,
  url: row.url,
  identity: row.identity,
  documentId: row.document_id,
  number: row.number,
  citation: row.citation,
  heading: row.heading,
  context: row.context,
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
    matching: (
      any: ReadonlyArray<Sought>,
      all: ReadonlyArray<string>,
      documents: ReadonlyArray<number> | undefined,
      limit: number
    ) => {
      const sought = all.length > 0 ? all.map((text) => ({ text, weight: 1 })) : any
      // What stands in a subquery of its own is unpacked once, and not again for each word.
      return sql<Ranked>`SELECT f.id, (${rankOf(sought)})::float8 AS rank FROM (
          SELECT s.id, s.vector || ''::tsvector AS vector FROM gov_section s
          WHERE s.vector @@ (${joined(
            sought.map(({ text }) => text),
            all.length > 0 ? "&&" : "||"
          )})
          ${documents === undefined ? sql.literal("") : sql`AND s.document_id IN ${sql.in([...documents])}`}
          OFFSET 0
        ) f ORDER BY rank DESC, f.id LIMIT ${limit}`
    },
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

/**
 * Finding by words in SQLite: FTS5, ranked by bm25.
 */
const sqliteWords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The tokenizer of the index tells stems through a table of its own, which is not part of the file.
  yield* sql.unsafe(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.gov_asked USING fts5(word, tokenize='porter unicode61 remove_diacritics 2')"
  )
  yield* sql.unsafe("CREATE VIRTUAL TABLE IF NOT EXISTS temp.gov_stem USING fts5vocab('temp', 'gov_asked', 'instance')")

  const quoted = (phrase: string): string => `"${phrase.replaceAll('"', '""')}"`
  const expression = (any: ReadonlyArray<Sought>, all: ReadonlyArray<string>): string =>
    all.length > 0 ? all.map(quoted).join(" AND ") : any.map(({ text }) => quoted(text)).join(" OR ")
  // Heading, context, body, notes.
  const rank = sql.literal("bm25(gov_text, 6, 2, 1, 0.2)")

  const words: GovWords = {
    having: Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
      if (words.length === 0) return new Map<string, number>()
      yield* sql`DELETE FROM temp.gov_asked`
      for (const [at, word] of words.entries())
        yield* sql`INSERT INTO temp.gov_asked (rowid, word) VALUES (${at}, ${word})`
      const rows = yield* sql<{ doc: number; sections: number | null }>`
        SELECT s.doc, w.doc AS sections FROM temp.gov_stem s LEFT JOIN gov_word w ON w.term = s.term
        WHERE s.offset = 0 ORDER BY s.doc`
      return new Map(rows.map(({ doc, sections }) => [words[doc] ?? "", sections ?? 0]))
    }, sql.withTransaction),
    matching: (
      any: ReadonlyArray<Sought>,
      all: ReadonlyArray<string>,
      documents: ReadonlyArray<number> | undefined,
      limit: number
    ) =>
      documents === undefined
        ? sql<Ranked>`SELECT rowid AS id, -${rank} AS rank FROM gov_text
            WHERE gov_text MATCH ${expression(any, all)} ORDER BY ${rank} LIMIT ${limit}`
        : sql<Ranked>`SELECT gov_text.rowid AS id, -${rank} AS rank FROM gov_text
            JOIN gov_section s ON s.id = gov_text.rowid
            WHERE gov_text MATCH ${expression(any, all)} AND s.document_id IN ${sql.in([...documents])}
            ORDER BY rank DESC LIMIT ${limit}`,
    saidOf: (any: ReadonlyArray<Sought>, limit: number) =>
      sql<Ranked>`SELECT rowid AS id, -bm25(gov_saying) AS rank FROM gov_saying
        WHERE gov_saying MATCH ${expression(any, [])} ORDER BY bm25(gov_saying) LIMIT ${limit}`
  }
  return words
})
