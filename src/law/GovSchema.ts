/**
 * The tables of the index of government texts, in a SQLite file of their own or beside the service's in Postgres.
 *
 * `url` names one version of a section and has one row; `generation` changes with every load that changes anything, so a
 * cache knows when to look again. The database itself maintains the word index (triggers and a generated column), so no
 * writer can forget it. `identity` is shared by all variants of a section; with `version` it names one section.
 * `GovWriter` ensures this, as an index of form 1 may hold two.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as GovCiting from "./GovCiting.ts"
import { GovIndexFailed } from "./GovIndex.ts"

/**
 * The form of these tables, and of the identities in them: 2 has other identities than 1, 3 has what sections say that cite
 * others, 4 has the day on which a text ends, 5 has the words of sections as numbers (`gov_gist`). What an index of an earlier form holds answers without that; the next load brings the tables up to date, and every
 * file is read again when it is loaded the next time.
 */
export const form = 5

export const ensure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* textTables
  yield* citationTables
  yield* sql.onDialectOrElse({ orElse: () => wordsInSqlite, pg: () => wordsInPostgres })
  const [known] = yield* sql<{ form: number }>`SELECT form FROM gov_state ORDER BY form DESC LIMIT 1`
  if (known === undefined) {
    yield* sql`INSERT INTO gov_state (form, generation) VALUES (${form}, 0)`
    return "new" as const
  }
  if (known.form > form) {
    return yield* new GovIndexFailed({
      message: `the index of government texts was made by a newer version of Millrace (form ${known.form}; this version knows ${form}): use that version, or another database`
    })
  }
  if (known.form === form) return "same" as const
  yield* sql.withTransaction(upgrade(known.form))
  return "upgraded" as const
})

const textTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const idColumn = sql.onDialectOrElse({
    orElse: () => sql.literal("INTEGER PRIMARY KEY"),
    pg: () => sql.literal("INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
  })
  yield* sql`CREATE TABLE IF NOT EXISTS gov_state (
    form INTEGER NOT NULL PRIMARY KEY,
    generation INTEGER NOT NULL
  )`
  yield* sql`CREATE TABLE IF NOT EXISTS gov_file (
    id ${idColumn},
    path TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    documents INTEGER NOT NULL,
    sections INTEGER NOT NULL,
    told TEXT NOT NULL DEFAULT '',
    form INTEGER NOT NULL DEFAULT 1
  )`
  yield* sql`CREATE TABLE IF NOT EXISTS gov_document (
    id ${idColumn},
    url TEXT NOT NULL UNIQUE,
    identity TEXT NOT NULL,
    title TEXT NOT NULL,
    issuer TEXT NOT NULL,
    level TEXT NOT NULL,
    jurisdiction TEXT NOT NULL,
    collection TEXT NOT NULL,
    collection_name TEXT NOT NULL,
    names TEXT NOT NULL,
    version TEXT NOT NULL,
    version_date TEXT
  )`
  yield* sql`CREATE INDEX IF NOT EXISTS gov_document_identity ON gov_document (identity)`
  yield* sql`CREATE TABLE IF NOT EXISTS gov_section (
    id ${idColumn},
    url TEXT NOT NULL UNIQUE,
    identity TEXT NOT NULL,
    document_id INTEGER NOT NULL,
    file_id INTEGER NOT NULL,
    digest TEXT NOT NULL,
    number TEXT NOT NULL,
    citation TEXT NOT NULL,
    heading TEXT NOT NULL,
    context TEXT NOT NULL,
    body TEXT NOT NULL,
    notes TEXT NOT NULL,
    status TEXT NOT NULL,
    version TEXT NOT NULL,
    version_date TEXT,
    adopted TEXT,
    effective TEXT,
    effective_until TEXT${sql.onDialectOrElse({ orElse: () => sql.literal(""), pg: () => sql.literal(`, ${vectorOf(columns)}`) })}
  )`
  yield* sql`CREATE INDEX IF NOT EXISTS gov_section_identity ON gov_section (identity)`
  yield* sql`CREATE INDEX IF NOT EXISTS gov_section_file ON gov_section (file_id)`
  yield* sql`CREATE INDEX IF NOT EXISTS gov_section_document ON gov_section (document_id)`
  const bytes = sql.onDialectOrElse({ orElse: () => sql.literal("BLOB"), pg: () => sql.literal("BYTEA") })
  yield* sql`CREATE TABLE IF NOT EXISTS gov_gist (
    section_id INTEGER NOT NULL PRIMARY KEY,
    often TEXT NOT NULL,
    stems ${bytes} NOT NULL,
    note_stems ${bytes} NOT NULL
  )`
})

const citationTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS gov_key (
    key TEXT NOT NULL,
    section_id INTEGER NOT NULL,
    is_exact INTEGER NOT NULL,
    PRIMARY KEY (key, section_id)
  )`
  yield* sql`CREATE INDEX IF NOT EXISTS gov_key_section ON gov_key (section_id)`
  yield* sql`CREATE TABLE IF NOT EXISTS gov_citing (
    section_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    scope TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (section_id, key)
  )`
  yield* sql`CREATE INDEX IF NOT EXISTS gov_citing_key ON gov_citing (key)`
  yield* sql`CREATE TABLE IF NOT EXISTS gov_recite (key TEXT NOT NULL PRIMARY KEY)`
  yield* sql`CREATE TABLE IF NOT EXISTS gov_cited (
    section_id INTEGER NOT NULL PRIMARY KEY,
    cited TEXT NOT NULL${sql.onDialectOrElse({ orElse: () => sql.literal(""), pg: () => sql.literal(`, ${vectorOf(["cited"])}`) })}
  )`
})

/** Marks files to be read again: the readers now find more in them. */
const upgrade = Effect.fnUntraced(function* (from: number) {
  const sql = yield* SqlClient.SqlClient
  if (from < 2) {
    yield* sql`ALTER TABLE gov_file ADD COLUMN told TEXT NOT NULL DEFAULT ''`
    yield* sql`ALTER TABLE gov_file ADD COLUMN form INTEGER NOT NULL DEFAULT 1`
  }
  yield* sql.onDialectOrElse({
    orElse: () =>
      Effect.gen(function* () {
        const has = yield* sql`SELECT 1 FROM pragma_table_info('gov_section') WHERE name = 'effective_until'`
        if (has.length === 0) yield* sql`ALTER TABLE gov_section ADD COLUMN effective_until TEXT`
      }),
    pg: () => Effect.asVoid(sql`ALTER TABLE gov_section ADD COLUMN IF NOT EXISTS effective_until TEXT`)
  })
  yield* sql`UPDATE gov_file SET digest = ''`
  yield* sql`UPDATE gov_state SET form = ${form}, generation = generation + 1`
})

/** The columns that are searched for words, in the order of their weights. */
const columns = ["heading", "context", "body", "notes"] as const

const wordsInSqlite = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* indexed("gov_text", "gov_section", "id", columns)
  yield* indexed("gov_saying", "gov_cited", "section_id", ["cited"])
  yield* indexed("gov_often", "gov_gist", "section_id", ["often"])
  yield* sql.unsafe("CREATE VIRTUAL TABLE IF NOT EXISTS gov_word USING fts5vocab('gov_text', 'row')")
})

/** Creates the word index over some columns of a table. The database maintains it. */
const indexed = Effect.fnUntraced(function* (index: string, table: string, id: string, columns: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const names = columns.join(", ")
  const values = (row: string) => columns.map((column) => `${row}.${column}`).join(", ")
  const removed = `INSERT INTO ${index} (${index}, rowid, ${names}) VALUES ('delete', old.${id}, ${values("old")});`
  const added = `INSERT INTO ${index} (rowid, ${names}) VALUES (new.${id}, ${values("new")});`
  yield* sql.unsafe(`CREATE VIRTUAL TABLE IF NOT EXISTS ${index} USING fts5(
    ${names}, content='${table}', content_rowid='${id}', tokenize='porter unicode61 remove_diacritics 2'
  )`)
  yield* sql.unsafe(`CREATE TRIGGER IF NOT EXISTS ${table}_added AFTER INSERT ON ${table} BEGIN ${added} END`)
  yield* sql.unsafe(`CREATE TRIGGER IF NOT EXISTS ${table}_removed AFTER DELETE ON ${table} BEGIN ${removed} END`)
  yield* sql.unsafe(
    `CREATE TRIGGER IF NOT EXISTS ${table}_changed AFTER UPDATE OF ${names} ON ${table} BEGIN ${removed} ${added} END`
  )
})

/** Postgres rejects a tsvector of more than 1 MB, so only the start of a very long text is indexed. */
const maxText = 400_000

const vectorOf = (columns: ReadonlyArray<string>): string =>
  `vector tsvector GENERATED ALWAYS AS (${columns
    .map((column, at) => `setweight(to_tsvector('english', left(${column}, ${maxText})), '${"ABCD".charAt(at)}')`)
    .join(" || ")}) STORED`

const wordsInPostgres = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE INDEX IF NOT EXISTS gov_section_vector ON gov_section USING GIN (vector)`
  yield* sql`CREATE INDEX IF NOT EXISTS gov_cited_vector ON gov_cited USING GIN (vector)`
  yield* sql`CREATE TABLE IF NOT EXISTS gov_word (term TEXT PRIMARY KEY, doc INTEGER NOT NULL)`
})

/**
 * Ends a load: writes the sentences about cited sections, and changes the generation. In Postgres, it also counts again how
 * many sections contain each word.
 */
export const changed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* GovCiting.settle
  yield* sql.onDialectOrElse({
    orElse: () => Effect.void,
    pg: () =>
      Effect.gen(function* () {
        yield* sql`DELETE FROM gov_word`
        yield* sql`INSERT INTO gov_word SELECT word, ndoc FROM ts_stat('SELECT vector FROM gov_section')`
      })
  })
  yield* sql`UPDATE gov_state SET generation = generation + 1`
})
