/**
 * How often, and after which waits, a site that did not answer gets another request.
 */

import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** How often a page is requested, and how long a silent host is waited for. Times are in milliseconds. */
export interface Patience {
  /** The total number of tries. 1: once, and a silent host is not waited for either. */
  readonly tries: number
  /** The wait before the second try, multiplied by four before each further one. */
  readonly firstWaitMillis: number
  /** How long a silent host is left alone, one time after the other; after the last it is given up. */
  readonly coolingMillis: ReadonlyArray<number>
}

/**
 * Three tries. A host that answered before is given up after three minutes, any other sooner.
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
 * The tries of a page that was refused because of its host: after 429 the host wants it later, and a host that breaks
 * many connections but answers others just had bad luck with it.
 */
const triesOfOthers = 4

/** @internal */
export const triesOf = ({ tries }: Patience, refusal: number | "flaky" | undefined): number =>
  tries > 1 && (refusal === 429 || refusal === "flaky") ? tries * triesOfOthers : tries

/**
 * The longest wait for a host: one that says "tomorrow" is asked again, and may say so again.
 *
 * @internal
 */
export const maxAskedMillis = 60_000

const longestWaitMillis = 15_000

/**
 * How long to wait after this try, the first being 1; with jitter.
 *
 * @internal
 */
export const waitAfter = ({ firstWaitMillis }: Patience, attempt: number, requested = 0): Effect.Effect<number> =>
  Effect.map(Random.next, (random) => {
    const wait = Math.min(longestWaitMillis, firstWaitMillis * 4 ** (attempt - 1))
    return Math.round(Math.max(requested, wait) + wait * random * jitter)
  })

const jitter = 0.25
