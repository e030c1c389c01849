/**
 * The scheme and host that a caller used, so that URLs in answers lead back the same way, also behind a proxy.
 */
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

export const requestOrigin = (request: HttpServerRequest): string => {
  const host = request.headers["x-forwarded-host"] ?? request.headers["host"] ?? URL.parse(request.url)?.host
  const proto = request.headers["x-forwarded-proto"] ?? URL.parse(request.url)?.protocol.slice(0, -1)
  const first = (value: string) => value.split(",", 1).join("").trim()
  return `${first(proto ?? "http")}://${first(host ?? "localhost")}`
}
