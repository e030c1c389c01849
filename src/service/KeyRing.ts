/**
 * The keys of a service that may change while it runs, with the teams and plans behind them.
 *
 * Guarantee: a change is whole: each request meets the keys before it or those after it. A team whose keys are gone keeps its
 * jobs, which go on under the plan for teams that are not named.
 */
import type { ServiceConfig } from "./ServiceConfig.ts"

export type Keys = Pick<ServiceConfig, "keys" | "keyless">

export interface KeyRing {
  readonly current: () => Keys
  readonly replace: (keys: Keys) => void
}

export const create = (first: Keys): KeyRing => {
  let current = first
  return {
    current: () => current,
    replace: (keys) => {
      current = keys
    }
  }
}
