/**
 * An S3 server for as long as a work runs: the one of MILLRACE_TEST_S3_URL, or the private one of the tests (Ceph's radosgw, in
 * memory), with a bucket.
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import type { Prepared } from "../../Claim.ts"

export const credentials = { accessKeyId: "test", secretAccessKey: "testsecret" }
export const clientOf = (endpoint: string) =>
  new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials })

/** It has to hold whatever all rounds upload. */
const gigabytes = "12"

export const startS3 = async (): Promise<Prepared> => {
  const given = process.env["MILLRACE_TEST_S3_URL"]
  const own = given === undefined ? await start() : undefined
  const url = given ?? own?.url ?? ""
  const bucket = `millrace-bench-${Date.now()}`
  await clientOf(url).send(new CreateBucketCommand({ Bucket: bucket }))
  return { values: { url, bucket }, stop: own?.stop ?? (async () => undefined) }
}

const start = async () => {
  const script = join(import.meta.dirname, "../../../test/services/s3.sh")
  const server = spawn(script, ["serve"], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, MILLRACE_TEST_S3_GB: gigabytes }
  })
  const ended = new Promise<undefined>((done) => server.on("close", () => done(undefined)))
  const problem = text(server.stderr)
  const first = new Promise<string>((done) => server.stdout.once("data", (line) => done(String(line).trim())))
  const url = await Promise.race([first, ended])
  if (url === undefined) throw new Error(await problem)
  const stop = async () => {
    server.stdin.end()
    await ended
  }
  return { url, stop }
}
