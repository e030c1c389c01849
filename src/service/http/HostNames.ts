/**
 * The names by which a service on this machine is called.
 *
 * A website can let its own name lead to 127.0.0.1 (DNS rebinding), and then its scripts speak to what listens here as if it
 * was theirs. A browser tells the name in `Host`, and the page that asks in `Origin`: a service that asks for no key, or that
 * only this machine reaches, answers to addresses, to `localhost`, and to names that its operator allows. A page at an
 * address may be anybody's: it may ask the service at that very address, and no other.
 */
import { isIP } from "node:net"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isLoopback } from "../../crawler/fetch/AddressGuard.ts"

export interface HostNames {
  /** The name or address that the service listens on. */
  readonly host: string
  /** Further names; `*`: any. */
  readonly allowed: ReadonlyArray<string>
}

/** The app behind the check: 403 for another name, which says what to do. */
export const checked =
  (names: HostNames) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const wrong = wrongName(names, headers["host"], headers["origin"])
      return wrong === undefined ? app : Effect.succeed(refused(wrong))
    })

/** The first name that is not allowed, as it is written; undefined where all are. */
export const wrongName = (
  names: HostNames,
  host: string | undefined,
  origin: string | undefined
): string | undefined => {
  if (names.allowed.includes("*")) return undefined
  if (host !== undefined && !isAllowed(names, hostOf(`http://${host}`))) return host
  if (origin === undefined) return undefined
  const page = hostOf(origin)
  const isOwn = host !== undefined && page === hostOf(`http://${host}`)
  return isOwn || (page !== undefined && (isLoopback(page) || isNamed(names, page))) ? undefined : origin
}

const isAddress = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, "")) > 0

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname.replace(/\.$/, "")

const isAllowed = (names: HostNames, name: string | undefined): boolean => {
  if (name === undefined || name === "") return false
  return isAddress(name) || isLoopback(name) || isNamed(names, name)
}

const isNamed = ({ allowed, host }: HostNames, name: string): boolean =>
  [host, ...allowed].some((known) => known.toLowerCase().replace(/\.$/, "") === name)

const refused = (name: string) =>
  HttpServerResponse.jsonUnsafe(
    {
      success: false,
      error: `Forbidden: this service does not answer to the name ${name.slice(0, 200)}; start it with --allow-host NAME if the name is yours`
    },
    { status: 403 }
  )
