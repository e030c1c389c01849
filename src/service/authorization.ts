/**
 * Who may call. The law (specification, Authentication): with keys configured, a missing, malformed or unknown key is
 * 401 "Unauthorized: Invalid token"; starting a crawl works without a key, and so does reading what was started so.
 * A service without keys is open, and everybody is the same team.
 */

import { createHash, timingSafeEqual } from "node:crypto"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Authorization, Caller } from "../api/Authorization.ts"
import { Unauthorized } from "../api/Errors.ts"
import type { ServiceConfig } from "./ServiceConfig.ts"

/** The team of callers without a key. */
export const keylessTeam = "keyless"

/** The team behind a credential; "" stands for none. */
export const teamOf = (config: ServiceConfig, credential: string): string | undefined => {
  if (config.keys.length === 0) return "local"
  if (credential === "") return keylessTeam
  const digest = sha256(credential)
  return config.keys.find(({ key }) => timingSafeEqual(sha256(Redacted.value(key)), digest))?.teamId
}

export const layer = (config: ServiceConfig) =>
  Layer.succeed(
    Authorization,
    Authorization.of({
      bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint, group }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        // A header that holds no bearer key is malformed; none at all is a caller without a key.
        const isMalformed = headers["authorization"] !== undefined && Redacted.value(credential) === ""
        const teamId = isMalformed && config.keys.length > 0 ? undefined : teamOf(config, Redacted.value(credential))
        const isCrawl =
          group.identifier === "crawl" && endpoint.identifier !== "active" && endpoint.identifier !== "ongoing"
        if (teamId === undefined || (teamId === keylessTeam && !isCrawl)) {
          return yield* new Unauthorized({ message: "Unauthorized: Invalid token" })
        }
        return yield* Effect.provideService(httpEffect, Caller, { teamId })
      })
    })
  )

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()
