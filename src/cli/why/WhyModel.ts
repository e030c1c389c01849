/** What is known of one value of a table, and where it comes from. `millrace why --json` prints it as it is. */

export interface WhyModel {
  readonly pipeline: string
  readonly sink: string
  readonly table: string
  readonly key: Readonly<Record<string, unknown>>
  readonly column: string
  readonly type: string
  /** As JSON has it. */
  readonly value: unknown
  /** Where and when the row was read, as far as its own columns say. */
  readonly row: {
    readonly url: string | null
    readonly fetched_at: string | null
    readonly run_id: string | null
    readonly job_id: string | null
  }
  /** When the run began, and how it ended; null where nothing is known of it any more. */
  readonly run: { readonly started_at: string; readonly status: string } | null
  /** Who read the value from its page: our rules, or a model. */
  readonly engine: { readonly name: string; readonly model: string | null } | null
  /** The version of the program that read the row, where its table has one. */
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
  /** The way to it: type and properties of declared data, or the elements of what is shown. */
  readonly place: string
  readonly value: string | null
  /** Of a value of a model: whether the page says it. */
  readonly supported: boolean | null
  /** Characters of the page's HTML, from and to. */
  readonly span: readonly [from: number, to: number] | null
  readonly context: Context | null
}

export interface Context {
  readonly before: string
  readonly marked: string
  readonly after: string
  /** Where the HTML is from. */
  readonly source: string
  /** Whether the value still stands there. */
  readonly matches: boolean
}
