/**
 * Who may ask the server of `millrace explore`.
 *
 * Every website that a person visits can send requests to this machine, and can let a name of its own lead here. So data is
 * for who has the token, which the URL on the terminal has; and every request must call the server by a loopback name and
 * its port, and come from its own page if it comes from a page.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { isLoopback } from "../../crawler/fetch/AddressGuard.ts"

export const makeToken = (): string => randomBytes(24).toString("base64url")

export interface Gate {
  readonly token: string
  readonly port: number
}

interface Asked {
  readonly host: string | undefined
  readonly origin: string | undefined
}

/** Why a request may not come in at all; undefined: it may. */
export const refusalOf = ({ port }: Gate, { host, origin }: Asked): string | undefined => {
  const own = ownHost(host, port)
  if (own === undefined) return "this server answers to localhost and 127.0.0.1 with its port only"
  return origin === undefined || origin === `http://${own}` ? undefined : "this request comes from another site"
}

/** Takes as long for any two texts. */
export const hasToken = ({ token }: Gate, said: string | null | undefined): boolean =>
  timingSafeEqual(digest(said ?? ""), digest(token))

export const noToken = "the token is missing or wrong: open the URL that `millrace explore` printed"

const ownHost = (host: string | undefined, port: number): string | undefined => {
  const url = host === undefined ? null : URL.parse(`http://${host}`)
  return url !== null && isLoopback(url.hostname) && Number(url.port || 80) === port ? url.host : undefined
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
