/**
 * The tables of extracted data: the rows by the user's schema, and the source of each value.
 *
 * A row is identified by the user's key, otherwise by its job and its number in it. A column follows the schema, and is
 * null if nothing was found, whether the schema requires it or not; `missing` of the run counts these. Lists are rows
 * of child tables unless the file says otherwise.
 */
import * as Schema from "effect/Schema"
import * as Column from "#engine/Column"
import * as ColumnName from "#engine/ColumnName"
import { gappyJsonSchema } from "#engine/gappyJsonSchema"
import { draftOf, type SchemaObject } from "#engine/JsonSchemaDraft"
import * as JsonSchemaTable from "#engine/JsonSchemaTable"
import * as Table from "#engine/Table"

export interface ExtractedTable {
  readonly table: Table.Table
  readonly sources: Table.Table
  /** The key columns of a row, each with the column by which sources refer to it. */
  readonly names: ReadonlyArray<readonly [own: string, theirs: string]>
  /** The user's key, if there is one; for rows of one page, the page. */
  readonly key: ReadonlyArray<string> | undefined
  /** Whether a job reads one page, to which its rows belong. */
  readonly isOfPage: boolean
  /** The schema as given, and as rows are read: any value may be missing. Undefined: rows are any JSON. */
  readonly schema:
    | { readonly strict: JsonSchemaTable.JsonSchemaTable; readonly read: JsonSchemaTable.JsonSchemaTable }
    | undefined
}

/** Identifies a row if the user names no key. */
const rowNumber = "_row"

export const extractedTable = (options: {
  readonly name: string
  readonly schema: SchemaObject | undefined
  readonly key: ReadonlyArray<string> | undefined
  readonly isOfPage?: boolean
}): ExtractedTable => {
  const { isOfPage = false } = options
  const schema = options.schema === undefined ? undefined : tablesOf(options.name, options.schema)
  const own: ReadonlyArray<Column.Column> = schema?.read.table.columns ?? [anyData]
  const isSingle = schema === undefined || schema.read.at === ""
  const wantedKey = options.key ?? (isOfPage && isSingle ? ["_source_url"] : undefined)
  const isKey =
    wantedKey !== undefined && wantedKey.every((name) => [...own, ...system].some((one) => one.name === name))
  const key = isKey ? wantedKey : ["_job_id", rowNumber]
  const columns = [...own, ...(isKey ? [] : [rowNumberColumn]), ...system].map((column) =>
    key.includes(column.name) ? { ...column, nullable: false } : column
  )
  const table: Table.Table = {
    name: options.name,
    description: schema === undefined ? "one row per job, with its data" : "one row per extracted item",
    key,
    columns,
    nested: "tables",
    mergePartialRows: true
  }
  const named = columns.filter(({ name }) => key.includes(name))
  const parents = ColumnName.distinct(named.map(({ name }) => `_parent_${name.replace(/^_+/, "")}`))
  const names = named.map(({ name }, at) => [name, parents[at] ?? name] as const)
  const links = named.map((column, at) => ({
    ...column,
    name: parents[at] ?? column.name,
    description: `${column.name} of the row that has the value`
  }))
  return {
    table,
    sources: sourcesOf(options.name, names, links),
    names,
    key: isKey ? wantedKey : undefined,
    isOfPage,
    schema
  }
}

const rowNumberColumn: Column.Column = {
  name: rowNumber,
  type: { _tag: "BIGINT" },
  nullable: false,
  description: "the number of the row in the data of its job, from 0"
}
const anyData: Column.Column = {
  name: "data",
  type: { _tag: "JSON" },
  nullable: true,
  description: "the data that the job found"
}

const { described } = Column
const text = Schema.NullOr(Schema.String)

/** The columns of every row: when it was read, from which page most of it comes, by which job. */
const system = Column.fromSchema(
  Schema.Struct({
    _fetched_at: described(Column.Timestamp, "when it was read"),
    _source_url: described(text, "the page with most of the values"),
    _job_id: described(Schema.String, "the job that found it")
  })
)

const tablesOf = (name: string, schema: SchemaObject) => {
  const draft = draftOf(schema)
  const make = (one: JsonSchemaTable.Options["schema"], taken: ReadonlyArray<string>) =>
    JsonSchemaTable.make({ name, schema: one, draft, unwrap: true, taken: [rowNumber, ...taken] })
  const strict = make(schema, [])
  // A list of that name would become a table with the name of the table of sources.
  const taken = strict.table.columns.flatMap(({ name, type }) =>
    (name === "sources" || name === "rejects") && (type._tag === "LIST" || type._tag === "STRUCT") ? [name] : []
  )
  return { strict, read: make(gappyJsonSchema(schema), taken) }
}

const sourcesOf = (main: string, names: ExtractedTable["names"], links: ReadonlyArray<Column.Column>): Table.Table => {
  const own = Table.make({
    name: `${main}__sources`,
    description: "one row per page that has a value: the place on the page, and the text there",
    schema: Schema.Struct({
      path: described(Schema.String, "the place of the value in the row, as a JSON pointer"),
      source_index: described(Schema.Int, "its number among the sources of the value"),
      value: described(text, "the value that was found"),
      url: described(Schema.String, "the page that has the value"),
      kind: described(Schema.String, "where the page has it: in text, in data or in its head"),
      source_path: described(Schema.String, "the place on the page"),
      span_from: described(Schema.NullOr(Schema.Int), "where the text begins"),
      span_to: described(Schema.NullOr(Schema.Int), "where the text ends"),
      certainty: described(text, "how sure the value is: high, medium or low"),
      supported: described(Schema.NullOr(Schema.Boolean), "whether the page has the value"),
      inferred: described(Schema.NullOr(Schema.Boolean), "whether it is a judgement of a model, such as a category")
    })
  })
  return {
    ...own,
    key: [...links.map(({ name }) => name), "path", "_job_id", "source_index"],
    columns: [...links, ...own.columns, ...system],
    parent: { table: main, on: Object.fromEntries(names.map(([ours, theirs]) => [theirs, ours])) }
  }
}
