/**
 * The data providers, as a search needs them: which of them may have records for its words. The service provides the list.
 */
import * as Context from "effect/Context"

export interface DataProvider {
  readonly id: string
  readonly capability: string
  /** A description of its data, for people. */
  readonly adds: string
  /** Whether it may have data for these words. */
  readonly helps: (words: string) => boolean
}

export class DataProviders extends Context.Service<
  DataProviders,
  {
    readonly all: ReadonlyArray<DataProvider>
  }
>()("millrace/DataProviders") {}
