/** What an author writes of a simple sink, and what its functions get. */
import type * as Schema from "effect/Schema"
import type * as Table from "../pipeline/Table.ts"

/** A row with JSON values. */
export type JsonRow = Readonly<Record<string, unknown>>

/** What both functions of a simple sink get: the folder of the pipeline. */
export interface Place {
  /** The folder of the pipeline file. */
  readonly directory: string
  /** A path of the options as an absolute one: relative paths start in the folder of the pipeline file. */
  readonly resolve: (path: string) => string
}

/** A batch of one table, as `batch` of a simple sink gets it. */
export interface BatchPlace extends Place {
  /** The table that the rows are of, with its columns. */
  readonly table: Table.Table
  /** In the order of the source; some hundreds at a time, never none. */
  readonly rows: ReadonlyArray<JsonRow>
  /** The run that the rows are of, such as "20261121T042305345Z-41ac7e". */
  readonly runId: string
}

/** A commit, as the destination can remember it. */
export interface CommitName {
  /** Another one for each commit, also for one that is tried again, in no order. At most 64 letters, digits and dashes. */
  readonly commitId: string
  /** The name of the pipeline. */
  readonly pipeline: string
  /** The run that commits. It commits more than once with `commit_every`, and where it is tried again after the process died. */
  readonly runId: string
}

/** What `commit` of a simple sink gets. */
export interface CommitPlace<Piece> extends Place, CommitName {
  /** What `batch` gave since the last commit, in its order. */
  readonly pieces: ReadonlyArray<Piece>
}

/** The parts of a simple sink. */
export interface SimpleSink<Options, Encoded, Piece> {
  /** What `type:` says in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description?: string
  /** What a pipeline file may say beside `type`; default: nothing. */
  readonly options?: Schema.Codec<Options, Encoded>
  /** Takes rows of one table. What it gives, the commit gets. */
  readonly batch: (options: Options, batch: BatchPlace) => Piece | Promise<Piece>
  /**
   * Makes everything since the last commit visible. Where it fails, it must leave what was there. A text that it gives is
   * where a person finds the rows.
   */
  readonly commit: (options: Options, commit: CommitPlace<Piece>) => unknown
  /**
   * Whether a commit of this name is in. It is asked after a process died, or `commit` failed, before it was known: if it is
   * in, its rows do not come again. So `commit` has to leave its `commitId` in the same step as its rows, such as in a file
   * name or in the same transaction. Default: nobody is asked, and such rows come a second time.
   */
  readonly committed?: (options: Options, commit: Place & CommitName) => boolean | Promise<boolean>
  /** The rows of a table as a reader sees them, in the order of their commits: for `millrace why`, `diff`, and the suite. */
  readonly read?: (
    options: Options,
    place: Place & { readonly table: Table.Table }
  ) => Iterable<object> | Promise<Iterable<object>>
}
