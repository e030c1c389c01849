/**
 * A real S3 server for the tests of one file: the one of MILLRACE_TEST_S3_URL (key "test", secret "testsecret"), or a
 * private one that goes with the file. Where there is none, `s3` is undefined and one line says so.
 */
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { text } from "node:stream/consumers"
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import { afterAll } from "vitest"
import type * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import { accessTo } from "./accessTo.ts"

export interface S3 {
  readonly url: string
  readonly access: ObjectStore.Access
  /** The URL of a prefix that nobody has used. */
  readonly fresh: () => string
  readonly client: S3Client
  readonly bucket: string
}

/** Runs until this process ends, however it ends: the script waits for the end of its standard input. */
const startPrivate = async (): Promise<string | undefined> => {
  const script = spawn(`${import.meta.dirname}/s3.sh`, ["serve"], { stdio: ["pipe", "pipe", "pipe"] })
  const ended = new Promise((done) => script.on("close", done))
  const problem = text(script.stderr)
  const first = new Promise<string>((done) => script.stdout.once("data", (line) => done(String(line).trim())))
  const url = await Promise.race([first, ended.then(() => undefined)])
  if (url === undefined) {
    process.stderr.write(`TESTS ON S3 ARE SKIPPED: ${(await problem).trim()}\n`)
    return undefined
  }
  afterAll(async () => {
    script.stdin.end()
    await ended
  })
  return url
}

const over = async (url: string): Promise<S3> => {
  const bucket = `millrace-${randomUUID()}`
  const credentials = { accessKeyId: "test", secretAccessKey: "testsecret" }
  const client = new S3Client({ endpoint: url, region: "us-east-1", forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return { url, access: accessTo(url), client, bucket, fresh: () => `s3://${bucket}/${randomUUID()}` }
}

const url = process.env["MILLRACE_TEST_S3_URL"] ?? (await startPrivate())

export const s3: S3 | undefined = url === undefined ? undefined : await over(url)
