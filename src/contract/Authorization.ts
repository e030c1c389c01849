/**
 * Identifies the caller. Specification, Authentication: the key is sent as `Authorization: Bearer KEY`; a missing, malformed
 * or revoked key is answered with 401, except on the operations that work without a key.
 */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import {
  Forbidden,
  InternalError,
  PaymentRequired,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized
} from "./Errors.ts"

/** The team of the caller. Jobs belong to teams. */
export class Caller extends Context.Service<Caller, { readonly teamId: string }>()("millrace/api/Caller") {}

/** Reads the key of a request, a bearer token. Fails with `Unauthorized` if a key is needed and is missing or unknown. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "millrace/api/Authorization",
  {
    requiredForClient: true,
    security: { bearer: HttpApiSecurity.bearer },
    error: [
      Unauthorized.http,
      PaymentRequired.http,
      Forbidden.http,
      TooManyRequests.http,
      InternalError.http,
      ServiceUnavailable.http
    ]
  }
) {}
