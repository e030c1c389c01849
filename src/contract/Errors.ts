/**
 * The error catalogue of the specification (section Errors): one class per status.
 *
 * Every failure is answered with `{ success: false, error, code?, details? }`; in the program it is a tagged error, whose
 * `message` is this `error`. Server and client both use the schemas below.
 */

import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** One wrong field: its path, and its mistake. */
export const Detail = Schema.Struct({
  path: Schema.Array(Schema.Union([Schema.String, Schema.Finite])),
  message: Schema.String
})
export type Detail = typeof Detail.Type

const fields = {
  message: Schema.String,
  code: Schema.optionalKey(Schema.String),
  details: Schema.optionalKey(Schema.Array(Detail))
}

const Wire = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.String,
  code: Schema.optionalKey(Schema.String),
  details: Schema.optionalKey(Schema.Array(Detail))
})
type Wire = typeof Wire.Type

interface Fields {
  readonly message: string
  readonly code?: string
  readonly details?: ReadonlyArray<Detail>
}

/** The schema of an error in an answer. */
export interface OnWire<Self extends Fields> extends Schema.decodeTo<Schema.Codec<Self>, typeof Wire> {}

/** Converts between the JSON of an answer, with `error`, and the class, with `message`. */
const onWire =
  <Self extends Fields>(make: (fields: Fields) => Self, status: number) =>
  (type: Schema.Codec<Self>): OnWire<Self> =>
    Wire.pipe(
      Schema.decodeTo(
        type,
        SchemaTransformation.transform<Self, Wire>({
          decode: ({ error, code, details }) =>
            make({
              message: error,
              ...(code === undefined ? {} : { code }),
              ...(details === undefined ? {} : { details })
            }),
          encode: ({ message, code, details }) => ({
            success: false,
            error: message,
            ...(code === undefined ? {} : { code }),
            ...(details === undefined ? {} : { details })
          })
        })
      ),
      HttpApiSchema.status(status)
    )

/**
 * 400: the body or the query does not fit the contract, or the URL is not one.
 *
 * @example
 * ```ts
 * import { Errors } from "millrace/api"
 *
 * const refused = new Errors.BadRequest({ message: "url: is missing" })
 * console.log(refused._tag, refused.message) // "BadRequest" "url: is missing"
 * ```
 */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", fields) {
  static readonly http = onWire((fields) => new BadRequest(fields), 400)(Schema.toType(BadRequest))
}

/** 401: the key is missing, malformed or revoked. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", fields) {
  static readonly http = onWire((fields) => new Unauthorized(fields), 401)(Schema.toType(Unauthorized))
}

/** 402: the credits that remain do not cover the request. */
export class PaymentRequired extends Schema.TaggedError<PaymentRequired>()("PaymentRequired", fields) {
  static readonly http = onWire((fields) => new PaymentRequired(fields), 402)(Schema.toType(PaymentRequired))
}

/** 403: the key lacks a permission or a plan feature, or the target may not be reached. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", fields) {
  static readonly http = onWire((fields) => new Forbidden(fields), 403)(Schema.toType(Forbidden))
}

/**
 * 404: the id, resource or path does not exist.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { WebData } from "millrace/client"
 * import { Embedded, ServiceConfig } from "millrace/service"
 *
 * const service = WebData.layer({ baseUrl: Embedded.baseUrl }).pipe(Layer.provide(Embedded.layer(ServiceConfig.defaults)))
 * const id = "01a21703-3bb7-715a-9f58-972f6c76b1a9"
 * const asked = Effect.flatMap(WebData, ({ crawl }) => crawl.status({ params: { id }, query: {} })).pipe(
 *   Effect.map(({ status }): string => status),
 *   Effect.catchTag("NotFound", ({ message }) => Effect.succeed(message))
 * )
 * console.log((await Effect.runPromise(Effect.provide(asked, service))).split("; ")[1]) // "results are kept for 24 hours after the end"
 * ```
 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", fields) {
  static readonly http = onWire((fields) => new NotFound(fields), 404)(Schema.toType(NotFound))
}

/** 408: the page did not answer within the request's timeout. */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("RequestTimeout", fields) {
  static readonly http = onWire((fields) => new RequestTimeout(fields), 408)(Schema.toType(RequestTimeout))
}

/** 409: the state of the resource prevents the operation. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", fields) {
  static readonly http = onWire((fields) => new Conflict(fields), 409)(Schema.toType(Conflict))
}

/** 413: the body is over the limit. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", fields) {
  static readonly http = onWire((fields) => new PayloadTooLarge(fields), 413)(Schema.toType(PayloadTooLarge))
}

/** 422: the request is well formed but cannot be executed: an invalid JSON Schema, an unreadable page. */
export class Unprocessable extends Schema.TaggedError<Unprocessable>()("Unprocessable", fields) {
  static readonly http = onWire((fields) => new Unprocessable(fields), 422)(Schema.toType(Unprocessable))
}

/** 429: the rate or the concurrency of the plan is reached. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", fields) {
  static readonly http = onWire((fields) => new TooManyRequests(fields), 429)(Schema.toType(TooManyRequests))
}

/** 500: an unhandled failure of the service. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", fields) {
  static readonly http = onWire((fields) => new InternalError(fields), 500)(Schema.toType(InternalError))
}

/** 502: another server returned an invalid answer. */
export class BadGateway extends Schema.TaggedError<BadGateway>()("BadGateway", fields) {
  static readonly http = onWire((fields) => new BadGateway(fields), 502)(Schema.toType(BadGateway))
}

/** 503: the service is temporarily unavailable. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", fields) {
  static readonly http = onWire((fields) => new ServiceUnavailable(fields), 503)(Schema.toType(ServiceUnavailable))
}

/** 504: another server took too long. */
export class GatewayTimeout extends Schema.TaggedError<GatewayTimeout>()("GatewayTimeout", fields) {
  static readonly http = onWire((fields) => new GatewayTimeout(fields), 504)(Schema.toType(GatewayTimeout))
}

/** The errors that any operation may answer: so a client decodes each to its class. */
export const common = [
  BadRequest.http,
  Unauthorized.http,
  PaymentRequired.http,
  Forbidden.http,
  PayloadTooLarge.http,
  TooManyRequests.http,
  InternalError.http,
  BadGateway.http,
  ServiceUnavailable.http,
  GatewayTimeout.http
] as const
