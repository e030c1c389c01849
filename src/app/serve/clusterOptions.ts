/** How a service takes part in the cluster of those that share its database: what `--advertise` says. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { isPostgres } from "#base/sqlClient"
import { wrong } from "#see/systemFailure"
import type { ServiceConfig } from "#service/ServiceConfig"
import { isLoopback } from "#web/AddressGuard"

/** `advertise`: `HOST:PORT`. A SQLite file has one process, so there it has no meaning. */
export const clusterOptions = Effect.fnUntraced(function* (
  advertise: Option.Option<string>,
  database: Redacted.Redacted
) {
  const text = Option.getOrElse(advertise, () => "").trim()
  if (!isPostgres(database)) {
    if (text === "") return {}
    return yield* wrong("--advertise is for processes that share a database: set --database postgres://...")
  }
  if (text === "") return { cluster: { advertise: { host: loopback, port: 0 } } }
  const [, name = "", digits = ""] = /^(\[[0-9a-f:.]+\]|[^:/\s]+):(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (name === "" || port > 65_535) {
    return yield* wrong(`--advertise takes HOST:PORT, such as 10.0.0.5:3003; ${text} has another form`)
  }
  const host = name.replace(/^\[(.*)\]$/, "$1")
  // The advertised name may be that of a load balancer or a pod: all addresses of the machine are listened on.
  const cluster: NonNullable<ServiceConfig["cluster"]> = isLoopback(host)
    ? { advertise: { host, port } }
    : { advertise: { host, port }, listen: "0.0.0.0" }
  return { cluster }
})

const loopback = "127.0.0.1"
