/**
 * Who is calling. Specification, Authentication: the key is sent as `Authorization: Bearer KEY`; a missing, malformed or
 * revoked key is answered with 401, except on the operations that work without a key.
 */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { Forbidden, InternalError, PaymentRequired, TooManyRequests, Unauthorized } from "./Errors.ts"

/** The team a request acts for. Jobs belong to teams. */
export class Caller extends Context.Service<Caller, { readonly teamId: string }>()("millrace/api/Caller") {}

/** The key of a request, as a bearer token: it fails with `Unauthorized` where a key is asked for and not known. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "millrace/api/Authorization",
  {
    requiredForClient: true,
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized.http, PaymentRequired.http, Forbidden.http, TooManyRequests.http, InternalError.http]
  }
) {}
