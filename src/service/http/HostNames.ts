/**
 * The host names to which a service on this machine answers.
 *
 * A website can let its own name resolve to 127.0.0.1 (DNS rebinding): then its scripts reach this service as their own
 * origin. A browser sends the name in `Host`, and the page that makes the request in `Origin`. A service without keys, or
 * one that only this machine reaches, answers to addresses, to `localhost`, and to names that its operator allows. A page
 * at an address may be anyone's: it may call only the service at this very address, unless it is a loopback address.
 */
import { isIP } from "node:net"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isLoopback } from "#web/AddressGuard"

interface HostNames {
  /** The name or address that the service listens on. */
  readonly host: string
  /** Further names; `*`: any. */
  readonly allowed: ReadonlyArray<string>
}

/** The app, which answers 403 to requests with another name. */
export const checked =
  (names: HostNames) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const wrong = wrongName(names, headers["host"], headers["origin"])
      return wrong === undefined ? app : Effect.succeed(refused(wrong))
    })

/** Returns the first name that is not allowed, as it was sent; undefined: both are allowed. */
const wrongName = (names: HostNames, host: string | undefined, origin: string | undefined): string | undefined => {
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
