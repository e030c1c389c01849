/**
 * How often, and after how long, a site is asked again that did not answer.
 */

import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** How often a page is asked for, and how long a silent host is waited for. Times are milliseconds. */
export interface Patience {
  /** Times a page is asked for in all. 1: once, and a host that answers nothing is not waited for either. */
  readonly tries: number
  /** What is waited before the second try; four times as much before each further one. */
  readonly firstWaitMillis: number
  /** How long a host that answers nothing is left alone, time after time; after the last it is given up. */
  readonly coolingMillis: ReadonlyArray<number>
}

/**
 * Three tries. A host that answered before is given up after three minutes, one that never did sooner.
 *
 * @example
 * ```ts
 * import { Patience } from "millrace/service"
 *
 * console.log(Patience.defaults.tries, Patience.defaults.firstWaitMillis) // 3 500
 * ```
 */
export const defaults: Patience = {
  tries: 3,
  firstWaitMillis: 500,
  coolingMillis: [5000, 15_000, 45_000, 120_000]
}

/**
 * The defaults with so many tries. 1: once, without waiting.
 *
 * @example
 * ```ts
 * import { Patience, ServiceConfig } from "millrace/service"
 *
 * const config: ServiceConfig.ServiceConfig = { ...ServiceConfig.defaults, patience: Patience.withTries(1) }
 * console.log(config.patience.tries) // 1
 * ```
 */
export const withTries = (tries: number): Patience => ({ ...defaults, tries })

/**
 * Answers that say "not now": the same request may be answered otherwise a little later.
 *
 * @internal
 */
export const isTransient = (status: number): boolean => status >= 500 || status === 429 || status === 408

/**
 * Tries of a page whose refusal is its host's: one that is told 429 is wanted later, and one whose host breaks many
 * connections and answers the others is only unlucky.
 */
const triesOfOthers = 4

/** @internal */
export const triesOf = ({ tries }: Patience, refusal: number | "flaky" | undefined): number =>
  tries > 1 && (refusal === 429 || refusal === "flaky") ? tries * triesOfOthers : tries

/**
 * No host makes us wait longer: one that says "tomorrow" is asked again, and may say so again.
 *
 * @internal
 */
export const maxAskedMillis = 60_000

const longestWaitMillis = 15_000

/**
 * How long to wait after the try with this number, the first being 1; a little more each time than all others wait.
 *
 * @internal
 */
export const waitAfter = ({ firstWaitMillis }: Patience, attempt: number, asked = 0): Effect.Effect<number> =>
  Effect.map(Random.next, (random) => {
    const wait = Math.min(longestWaitMillis, firstWaitMillis * 4 ** (attempt - 1))
    return Math.round(Math.max(asked, wait) + wait * random * jitter)
  })

const jitter = 0.25
