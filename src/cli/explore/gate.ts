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

interface Asked {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly token: string | undefined
}

/** Why a request is refused; undefined: it is not. */
export const refusalOf = (token: string, port: number, asked: Asked): string | undefined => {
  const own = ownHost(asked.host, port)
  if (own === undefined) return "this server answers to localhost and 127.0.0.1 with its port only"
  if (asked.origin !== undefined && asked.origin !== `http://${own}`) return "this request comes from another site"
  return asked.token !== undefined && isSame(asked.token, token)
    ? undefined
    : "the token is missing or wrong: open the URL that `millrace explore` printed"
}

const ownHost = (host: string | undefined, port: number): string | undefined => {
  const url = host === undefined ? null : URL.parse(`http://${host}`)
  return url !== null && isLoopback(url.hostname) && Number(url.port || 80) === port ? url.host : undefined
}

/** Takes as long for any two texts. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
