/**
 * The tables of government search: the queries, and the hits.
 *
 * If the title of a hit has a known form, its parts are in columns of their own; the title itself stays unchanged. A
 * hit is an excerpt: check issuer, jurisdiction, status and version before you cite it.
 */
import * as Schema from "effect/Schema"
import type { GovSearchAnswer, WebResult } from "#contract/GovSearch"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import * as HitTitle from "#law/HitTitle"

const { described } = Column
const text = Schema.NullOr(Schema.String)

export const govHits = Table.make({
  name: "gov_hits",
  description: "one row per hit: the passage of a government text that answers a query, and what the text is",
  key: ["query", "url"],
  schema: Schema.Struct({
    query: described(Schema.String, "the query that it answers"),
    position: described(Schema.Int, "its place among the hits, from 1"),
    url: described(Schema.String, "the URL of the text"),
    title: described(Schema.String, "the title of the hit, as the service has it"),
    description: described(Schema.String, "the passage that answers the query"),
    citation: described(text, "how the text is cited, from the title"),
    heading: described(text, "the heading of the section, from the title"),
    jurisdiction: described(text, "whose law it is, from the title"),
    status: described(text, "whether it is in force, from the title"),
    version: described(text, "the version of the text, from the title"),
    _fetched_at: described(Column.Timestamp, "when the answer came"),
    _source_url: described(Schema.String, "the URL of the text")
  })
})

export const govQueries = Table.make({
  name: "gov_queries",
  suffix: "_queries",
  description: "one row per query: its number of hits, and the messages of the service",
  key: ["query"],
  schema: Schema.Struct({
    query: described(Schema.String, "the query"),
    k: described(Schema.Int, "the maximum number of hits"),
    hits: described(Schema.Int, "how many hits it has"),
    warning: described(text, "what the service warns of"),
    error: described(text, "why it was refused"),
    asked_at: described(Column.Timestamp, "when the query was sent"),
    _fetched_at: described(Column.Timestamp, "when the answer came")
  })
})

/** What a row belongs to. */
export interface Context {
  readonly query: string
  readonly k: number
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly now: number
}

export const hitRow = ({ now, query }: Context, { description, position, title, url }: WebResult): Table.Row => {
  const { citation, heading, jurisdiction, status, version } = HitTitle.read(title)
  return {
    query,
    position,
    url,
    title,
    description,
    citation: textOrNull(citation),
    heading: textOrNull(heading),
    jurisdiction: textOrNull(jurisdiction),
    status: textOrNull(status),
    version: textOrNull(version),
    _fetched_at: Column.timestampFromMillis(now),
    _source_url: url
  }
}

/** The result of a query: hits, or a refusal. */
export const queryRow = (
  { k, now, query }: Context,
  answer: { readonly hits: number; readonly error?: string } & Pick<GovSearchAnswer, "warning">
): Table.Row => ({
  query,
  k,
  hits: answer.hits,
  warning: textOrNull(answer.warning),
  error: textOrNull(answer.error),
  asked_at: Column.timestampFromMillis(now),
  _fetched_at: Column.timestampFromMillis(now)
})

const textOrNull = (value: string | undefined): string | null => (value === undefined || value === "" ? null : value)
