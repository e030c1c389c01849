/**
 * The search of the service: its SQL index, without pages of teams with zero data retention, and the data providers of its
 * catalog.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type DataProvider, DataProviders } from "#web/DataProviders"
import { type Config, Search } from "#web/Search"
import { Accounts } from "./accounts/Accounts.ts"
import { isHelpful, type Provider } from "./Provider.ts"
import * as SqlPageIndex from "./store/pageIndex/SqlPageIndex.ts"

export const layerSearch = (config: Config & { readonly providers?: ReadonlyArray<Provider> }) =>
  Search.layer(config).pipe(
    Layer.provideMerge(index),
    Layer.provide(Layer.succeed(DataProviders, { all: (config.providers ?? []).map(toDataProvider) }))
  )

const toDataProvider = (provider: Provider): DataProvider => ({
  id: provider.id,
  capability: provider.capability,
  adds: provider.adds,
  helps: (words) => isHelpful(provider, words)
})

const index = Layer.unwrap(
  Effect.map(Accounts, ({ of }) => SqlPageIndex.layer((teamId) => of(teamId).plan.zeroDataRetention !== true))
)
