/**
 * A real S3 server: one for all tests (`serverUrl.ts`; key "test", secret "testsecret"), with a bucket for each file of
 * them. Where there is none, `s3` is undefined.
 */
import { randomUUID } from "node:crypto"
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import type * as ObjectStore from "#engine/ObjectStore"
import { accessTo } from "./accessTo.ts"
import { serverUrl } from "./serverUrl.ts"

export interface S3 {
  readonly url: string
  readonly access: ObjectStore.Access
  /** The URL of a prefix that nobody has used. */
  readonly fresh: () => string
  readonly client: S3Client
  readonly bucket: string
}

const over = async (url: string): Promise<S3> => {
  const bucket = `millrace-${randomUUID()}`
  const credentials = { accessKeyId: "test", secretAccessKey: "testsecret" }
  const client = new S3Client({ endpoint: url, region: "us-east-1", forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return { url, access: accessTo(url), client, bucket, fresh: () => `s3://${bucket}/${randomUUID()}` }
}

const url = await serverUrl("s3")

export const s3: S3 | undefined = url === undefined ? undefined : await over(url)
