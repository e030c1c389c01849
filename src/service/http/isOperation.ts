/**
 * Whether a request is for an operation of the contract or of the older API. The router knows it too, but only when it runs
 * the operation, and the body is checked before that.
 */
import * as FindMyWay from "effect/http/FindMyWay"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "#contract/Api"
import { isOlderApi } from "./v1/olderApi.ts"

export const isOperation = (request: HttpServerRequest.HttpServerRequest): boolean =>
  operations.find(request.method, request.url) !== undefined || isOlderApi(request)

const operations = FindMyWay.make<true>()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint: { method, path } }) => operations.on(method, `/${path.slice(1)}`, true)
})
