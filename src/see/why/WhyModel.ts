/** What is known about one value of a table, and where it comes from. `millrace why --json` prints it unchanged. */

export interface WhyModel {
  readonly pipeline: string
  readonly sink: string
  readonly table: string
  readonly key: Readonly<Record<string, unknown>>
  readonly column: string
  readonly type: string
  /** A JSON value. */
  readonly value: unknown
  /** Where and when the row was read; null where the row has no column for it. */
  readonly row: {
    readonly url: string | null
    readonly fetched_at: string | null
    readonly run_id: string | null
    readonly job_id: string | null
  }
  /** When the run began, and its status; null: no record of the run is left. */
  readonly run: { readonly started_at: string; readonly status: string } | null
  /** What extracted the value from its page: rules, or a model. */
  readonly engine: { readonly name: string; readonly model: string | null } | null
  /** The version of the reader that made the row, if the table has a column for it. */
  readonly reading: { readonly column: string; readonly version: unknown } | null
  readonly evidence: ReadonlyArray<Evidence>
  readonly notes: ReadonlyArray<string>
}

/** One place on one page that has the value. */
export interface Evidence {
  readonly url: string
  readonly fetched_at: string | null
  /** json-ld, microdata, table, label, model ... */
  readonly kind: string
  /** The place on the page: type and properties for declared data, otherwise the path of elements. */
  readonly place: string
  readonly value: string | null
  /** How sure the value is: high, medium or low; null: not known. */
  readonly certainty: string | null
  /** Whether the page contains the value; null: it is not a model's value. */
  readonly supported: boolean | null
  /** Character positions in the page's HTML. */
  readonly span: readonly [from: number, to: number] | null
  readonly context: Context | null
}

export interface Context {
  readonly before: string
  readonly marked: string
  readonly after: string
  /** Where the HTML comes from. */
  readonly source: string
  /** Whether the HTML still has the value at this place. */
  readonly matches: boolean
}
