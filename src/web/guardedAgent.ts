/**
 * An undici agent whose every connection passes the address guard. It is created at its first use, because few runs
 * need undici and loading it takes time. Its sockets close with the scope.
 */
import * as Effect from "effect/Effect"
import type { Dispatcher } from "undici"
import * as AddressGuard from "./AddressGuard.ts"
import { maxHeadBytes } from "./fetch/AnswerReader.ts"
import { guardedConnector } from "./fetch/guardedConnector.ts"

export interface Limits {
  /** The maximum number of sockets to one host. */
  readonly connections: number
  readonly rejectUnauthorized: boolean
}

/** Returns the agent once it is loaded. */
export type GuardedAgent = () => Promise<Dispatcher>

export const guardedAgent = (guard: AddressGuard.Options, limits: Limits) =>
  Effect.gen(function* () {
    let made: Promise<Dispatcher> | undefined
    yield* Effect.addFinalizer(() => Effect.promise(async () => (await made)?.destroy()))
    const agent: GuardedAgent = () => (made ??= makeAgent(guard, limits))
    return agent
  })

const makeAgent = async (
  guard: AddressGuard.Options,
  { connections, rejectUnauthorized }: Limits
): Promise<Dispatcher> => {
  const { default: Agent } = await import("undici/lib/dispatcher/agent.js")
  const connect = guardedConnector(guard, { rejectUnauthorized })
  const agent = new Agent({ ...exchangeLimits, connections, connect })
  return guard.proxies === undefined ? agent : agent.compose(asProxiesExpect(guard))
}

/** Proxies expect the whole URL of a page without TLS, and our credentials. */
const asProxiesExpect =
  (guard: AddressGuard.Options): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const origin = URL.parse(String(options.origin ?? ""))
    const proxy = origin?.protocol === "http:" ? AddressGuard.proxyFor(guard, origin) : undefined
    if (origin === null || proxy === undefined) return dispatch(options, handler)
    const { authorization } = proxy
    const headers = {
      ...headersOf(options.headers),
      ...(authorization === undefined ? {} : { "proxy-authorization": authorization })
    }
    return dispatch({ ...options, path: `${origin.origin}${options.path}`, headers }, handler)
  }

/** Our headers are always records. */
const headersOf = (headers: Dispatcher.DispatchOptions["headers"]): object =>
  headers === null || headers === undefined || Array.isArray(headers) || Symbol.iterator in headers
    ? Object.fromEntries(isPairs(headers) ? headers : [])
    : headers

const isPairs = (headers: unknown): headers is Iterable<readonly [string, string]> =>
  typeof headers === "object" && headers !== null && Symbol.iterator in headers

/** Beyond the limits of an exchange, so that no peer holds a socket forever. */
const exchangeLimits = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 60_000,
  bodyTimeout: 60_000,
  maxHeaderSize: maxHeadBytes,
  keepAliveTimeout: 4000,
  // A site that asks for ten minutes would hold a file descriptor of this process for each connection.
  keepAliveMaxTimeout: 10_000
}
