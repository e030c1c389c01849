/**
 * Which requests the server of `millrace explore` accepts.
 *
 * Every website that a user visits can send requests to this machine, and can point a host name of its own to it. So data
 * needs the token, which is in the URL on the terminal. Every request must also address the server by a loopback name and its
 * port, and a request from a page must come from the server's own page.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { isLoopback } from "#web/AddressGuard"

export const makeToken = (): string => randomBytes(24).toString("base64url")

export interface Gate {
  readonly token: string
  readonly port: number
}

interface RequestOrigin {
  readonly host: string | undefined
  readonly origin: string | undefined
}

/** Why a request is refused before its token is checked; undefined: it is not refused. */
export const refusalOf = ({ port }: Gate, { host, origin }: RequestOrigin): string | undefined => {
  const own = ownHost(host, port)
  if (own === undefined)
    return "this server only answers requests to localhost or 127.0.0.1 with its port: open the URL that `millrace explore` printed"
  return origin === undefined || origin === `http://${own}`
    ? undefined
    : "this request comes from another website, and is refused"
}

/** Compares two texts in constant time. */
export const hasToken = ({ token }: Gate, given: string | null | undefined): boolean =>
  timingSafeEqual(digest(given ?? ""), digest(token))

export const noToken = "the token is missing or wrong: open the URL that `millrace explore` printed"

const ownHost = (host: string | undefined, port: number): string | undefined => {
  const url = host === undefined ? null : URL.parse(`http://${host}`)
  return url !== null && isLoopback(url.hostname) && Number(url.port || 80) === port ? url.host : undefined
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
