/**
 * The tables that a corpus of government texts fills.
 */
import * as Schema from "effect/Schema"
import * as Column from "../../src/pipeline/Column.ts"
import * as Table from "../../src/pipeline/Table.ts"

const day = Schema.NullOr(Column.Day)
const texts = Schema.Array(Schema.String)

/** What every row carries: when it was read, and from which file of the corpus. */
const system = {
  _fetched_at: Column.Timestamp,
  _file: Schema.String
}

/**
 * The table of documents: one row per text, such as a title of a code.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/gov"
 *
 * console.log(tables.documents.key)
 * ```
 */
export const documents = Table.make({
  name: "gov_documents",
  suffix: "_documents",
  description: "one row per code title, regulation, Act, bill or notice, in one version",
  key: ["identity", "version"],
  schema: Schema.Struct({
    identity: Schema.String,
    title: Schema.String,
    issuer: Schema.String,
    level: Schema.String,
    jurisdiction: Schema.String,
    collection: Schema.String,
    collection_name: Schema.String,
    names: texts,
    version: Schema.String,
    version_date: day,
    url: Schema.String,
    ...system
  })
})

/**
 * The table of sections: one row per section of a text, in one version.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/gov"
 *
 * console.log(tables.sections.columns.map(({ name }) => name))
 * ```
 */
export const sections = Table.make({
  name: "gov_sections",
  description: "one row per section of a government text, in one version",
  key: ["url"],
  schema: Schema.Struct({
    url: Schema.String,
    identity: Schema.String,
    document: Schema.String,
    number: Schema.String,
    citation: Schema.String,
    also_cited: texts,
    heading: Schema.String,
    path: texts,
    text: Schema.String,
    notes: Schema.String,
    status: Schema.String,
    version: Schema.String,
    version_date: day,
    adopted: day,
    effective: day,
    ...system
  })
})
