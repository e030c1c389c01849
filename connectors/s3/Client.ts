/**
 * The client of one S3 server, loaded when the first s3:// location is opened.
 *
 * What a pipeline file does not set comes from Amazon's own environment variables and files, as in all tools of the AWS
 * SDK. A server at an endpoint of its own gets what such servers understand: the bucket in the path, and checksums only
 * if the protocol requires them.
 */
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3"
import * as Redacted from "effect/Redacted"
import type * as ObjectStore from "#engine/ObjectStore"

/** The commands that the store sends, loaded with the client. */
type Sdk = typeof import("@aws-sdk/client-s3")

export interface Client {
  readonly sdk: Sdk
  readonly s3: S3Client
  /** The name of the server in messages. */
  readonly server: string
}

export const connect = async (access: ObjectStore.Access): Promise<Client> => {
  const sdk = await import("@aws-sdk/client-s3")
  const endpoint = access.endpoint ?? variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL")
  const s3 = new sdk.S3Client({
    ...(endpoint === undefined ? {} : elsewhere(endpoint, access)),
    ...(access.region === undefined ? {} : { region: access.region }),
    ...credentialsOf(access),
    maxAttempts: 6,
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 }
  })
  const retries = await s3.config.retryStrategy()
  if ("refreshRetryTokenForRetry" in retries)
    s3.config.retryStrategy = () => Promise.resolve(oneMoreAfterSilence(retries))
  return { sdk, s3, server: endpoint ?? "Amazon S3" }
}

type Retries = Extract<Awaited<ReturnType<S3Client["config"]["retryStrategy"]>>, { readonly recordSuccess: unknown }>

/**
 * Repeats as the SDK does, but a request of which nothing is heard only once: six times a minute of silence would hold a run for too
 * long, and the next run does what is left.
 */
const oneMoreAfterSilence = (standard: Retries): Retries => {
  const silences = new WeakMap<object, number>()
  return {
    acquireInitialRetryToken: (scope) => standard.acquireInitialRetryToken(scope),
    recordSuccess: (token) => standard.recordSuccess(token),
    refreshRetryTokenForRetry: async (token, info) => {
      const silent = (silences.get(token) ?? 0) + (isSilence(info.error) ? 1 : 0)
      // The client then fails with the time-out itself, whatever is said here.
      if (silent > 1) throw new Error("nothing was heard twice")
      const next = await standard.refreshRetryTokenForRetry(token, info)
      silences.set(next, silent)
      return next
    }
  }
}

const isSilence = (error: unknown): boolean => error instanceof Error && error.name === "TimeoutError"

const elsewhere = (endpoint: string, { path_style = true }: ObjectStore.Access): S3ClientConfig => ({
  endpoint,
  // Other servers have no regions, but the signature needs one.
  region: variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? "us-east-1",
  forcePathStyle: path_style,
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED"
})

const credentialsOf = ({ access_key, secret_key, session_token }: ObjectStore.Access): S3ClientConfig =>
  access_key === undefined || secret_key === undefined
    ? {}
    : {
        credentials: {
          accessKeyId: Redacted.value(access_key),
          secretAccessKey: Redacted.value(secret_key),
          ...(session_token === undefined ? {} : { sessionToken: Redacted.value(session_token) })
        }
      }

const variable = (name: string): string | undefined => {
  const value = process.env[name]
  return value === "" ? undefined : value
}
