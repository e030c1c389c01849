/**
 * What a search must know of data providers: whose records may have what its words ask for. Whoever has providers says so.
 */
import * as Context from "effect/Context"

export interface DataProvider {
  readonly id: string
  readonly capability: string
  /** What it would add, for people. */
  readonly adds: string
  /** Whether the words ask for what it has. */
  readonly helps: (words: string) => boolean
}

export class DataProviders extends Context.Service<
  DataProviders,
  {
    readonly all: ReadonlyArray<DataProvider>
  }
>()("millrace/DataProviders") {}
