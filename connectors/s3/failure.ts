/** The errors of this connector: what it was doing to which object, the message of the server, and what to do. */
import * as ObjectStore from "#engine/ObjectStore"

export interface BucketLocation {
  readonly bucket: string
  readonly server: string
}

export const failure = (doing: string, path: string, { bucket, server }: BucketLocation, cause: unknown) => {
  const { name, status, message, code } = read(cause)
  const help =
    helps[name]?.(bucket, server) ??
    helps[code]?.(bucket, server) ??
    (status === 301 ? `the bucket ${bucket} is in another region: set region` : undefined)
  return new ObjectStore.ObjectStoreError({
    store: "s3",
    path,
    message: `cannot ${doing} ${path === "" ? "objects" : path} in s3://${bucket}: ${help ?? (message === "" ? name : message)}`,
    retryable:
      help === undefined &&
      (status === undefined
        ? code !== "" || name === "TimeoutError"
        : status >= 500 || status === 429 || status === 408),
    cause
  })
}

/** Reads an error of the SDK: its name, its message, and the status of the answer. */
export const read = (cause: unknown) => {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const metadata: unknown = "$metadata" in error ? error.$metadata : undefined
  const status =
    typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata
      ? metadata.httpStatusCode
      : undefined
  return {
    name: error.name,
    message: error.message,
    code: "code" in error && typeof error.code === "string" ? error.code : "",
    status: typeof status === "number" ? status : undefined
  }
}

/**
 * Fails if an answer is not from S3. A successful put has an ETag, and a list says whether it is truncated. A proxy that
 * answers 200 instead of the server has neither: without this check, a commit would seem done, or a lake empty.
 */
export const assertAnswered = (header: string | boolean | undefined): void => {
  if (header !== undefined) return
  const error = new Error("the answer is not one of S3")
  error.name = notOfS3
  throw error
}

const notOfS3 = "NotOfS3"

type Help = (bucket: string, server: string) => string

const refused: Help = (_bucket, server) =>
  `${server} does not accept these credentials: see storage in the sink's options`
const unreachable: Help = (_bucket, server) => `${server} cannot be reached`

const helps: Readonly<Record<string, Help>> = {
  NoSuchBucket: (bucket, server) => `the bucket ${bucket} does not exist at ${server}: create it, or correct the path`,
  AccessDenied: (bucket) => `these credentials may not do this in the bucket ${bucket}`,
  InvalidAccessKeyId: refused,
  SignatureDoesNotMatch: refused,
  InvalidToken: refused,
  ExpiredToken: () => "these temporary credentials have expired",
  CredentialsProviderError: () =>
    "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or storage in the sink's options",
  NotImplemented: (_bucket, server) =>
    `${server} cannot write an object only if it does not exist, which a commit needs`,
  RequestTimeTooSkewed: (_bucket, server) => `the clock of this machine and that of ${server} differ: set the clock`,
  [notOfS3]: (_bucket, server) =>
    `what answered at ${server} is not an S3 server: correct endpoint, or look at the proxy on the way to it`,
  ENOTFOUND: unreachable,
  ECONNREFUSED: unreachable,
  EHOSTUNREACH: unreachable
}
