/** How the S3 server of tests at this URL is reached: the server itself, or something in front of it. */
import * as Redacted from "effect/Redacted"
import type * as ObjectStore from "#engine/ObjectStore"

export const accessTo = (endpoint: string): ObjectStore.Access => ({
  endpoint,
  access_key: Redacted.make("test"),
  secret_key: Redacted.make("testsecret")
})
