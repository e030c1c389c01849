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
import type { GovWords } from "./GovWords.ts"
import { postgresWords } from "./postgresWords.ts"
import { sqliteWords } from "./sqliteWords.ts"

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
    /** The documents of sections, and their status. */
    readonly places: (
      ids: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<Pick<Candidate, "id" | "documentId" | "status">>, SqlError>
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

  const columns = sql.literal(
    "id, url, identity, document_id, number, citation, heading, context, status, version, version_date, adopted, effective"
  )

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
    places: Effect.fnUntraced(function* (ids) {
      if (!Arr.isReadonlyArrayNonEmpty(ids)) return []
      const rows = yield* sql<Pick<SectionRow, "id" | "document_id" | "status">>`
        SELECT id, document_id, status FROM gov_section WHERE id IN ${sql.in(ids)}`
      return rows.map((row) => ({ id: row.id, documentId: row.document_id, status: row.status }))
    }),
    found: Effect.fnUntraced(function* (ids) {
      if (!Arr.isReadonlyArrayNonEmpty(ids)) return []
      const rows = yield* sql<SectionRow & { readonly body: string; readonly cited: string }>`
        SELECT ${columns}, body, coalesce(cited, '') AS cited FROM gov_section
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
        SELECT ${columns} FROM gov_section WHERE identity IN ${sql.in(identities)} ORDER BY id`
      return rows.map(candidateOf)
    })
  })
})

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
    (rows) => Vocabulary.make(rows.map(knownOf))
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
  effective: row.effective ?? undefined
})
