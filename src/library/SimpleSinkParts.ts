/** The parts that an author of a simple sink writes, and the arguments of its functions. */
import type * as Schema from "effect/Schema"
import type * as Table from "#engine/Table"

/** A row with JSON values. */
export type JsonRow = Readonly<Record<string, unknown>>

/** The folder of the pipeline, for every function of a simple sink. */
export interface PipelineFolder {
  /** The folder of the pipeline file. */
  readonly directory: string
  /** Makes a path of the options absolute: relative paths start in the folder of the pipeline file. */
  readonly resolve: (path: string) => string
}

/** The argument of `batch` of a simple sink: some rows of one table. */
export interface BatchPlace extends PipelineFolder {
  /** The table of the rows, with its columns. */
  readonly table: Table.Table
  /** The rows in the order of the source: at least one, and usually some hundreds. */
  readonly rows: ReadonlyArray<JsonRow>
  /** The id of the run, such as "20261121T042305345Z-41ac7e". */
  readonly runId: string
}

/** The names of a commit, which a destination can store. */
export interface CommitName {
  /** A new id for each commit, even for a repeated one, in no order: at most 64 letters, digits and dashes. */
  readonly commitId: string
  /** The name of the pipeline. */
  readonly pipeline: string
  /** The id of the run. A run commits more than once with `commit_every`, or if it is tried again after its process died. */
  readonly runId: string
}

/** The argument of `commit` of a simple sink. */
export interface CommitPlace<Piece> extends PipelineFolder, CommitName {
  /** The results of `batch` since the last commit, in their order. */
  readonly pieces: ReadonlyArray<Piece>
}

/** The parts of a simple sink. */
export interface SimpleSink<Options, Encoded, Piece> {
  /** The value of `type:` in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description?: string
  /** The options in a pipeline file beside `type`; default: none. */
  readonly options?: Schema.Codec<Options, Encoded>
  /** Takes rows of one table. Its result is a piece for the commit. */
  readonly batch: (options: Options, batch: BatchPlace) => Piece | Promise<Piece>
  /**
   * Makes all pieces since the last commit visible. If it fails, what was visible before must stay as it was. If it returns a
   * text, the report shows it as the place of the rows.
   */
  readonly commit: (options: Options, commit: CommitPlace<Piece>) => unknown
  /**
   * Whether a commit with these names has succeeded. It is called if the process died or `commit` failed before that was
   * known: if the commit has succeeded, its rows are not sent again. So `commit` must store its `commitId` in the same step as
   * its rows, such as in a file name or in the same transaction. Default: such rows are sent a second time.
   */
  readonly committed?: (options: Options, commit: PipelineFolder & CommitName) => boolean | Promise<boolean>
  /** The visible rows of a table, in the order of their commits: for `millrace why`, `millrace diff` and the test suite. */
  readonly read?: (
    options: Options,
    place: PipelineFolder & { readonly table: Table.Table }
  ) => Iterable<object> | Promise<Iterable<object>>
}
