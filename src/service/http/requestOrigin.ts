/**
 * The scheme and host that a caller used, so that URLs in answers work for this caller, also behind a proxy. Headers are
 * not trusted: values that do not make an http or https origin are ignored.
 */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

export const requestOrigin = (request: HttpServerRequest): string => {
  const host = request.headers["x-forwarded-host"] ?? request.headers["host"] ?? URL.parse(request.url)?.host
  const proto = request.headers["x-forwarded-proto"] ?? URL.parse(request.url)?.protocol.slice(0, -1)
  const scheme = first(proto ?? "") === "https" ? "https" : "http"
  return URL.parse(`${scheme}://${first(host ?? "")}`)?.origin ?? `${scheme}://localhost`
}

/** Each proxy of a chain adds its value: the first one is the caller's. */
const first = (value: string): string => value.split(",", 1).join("").trim()
