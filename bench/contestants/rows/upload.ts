/**
 * A file to S3 and nothing else: `node upload.ts ours|sdk <megabytes> <folder> <url> <bucket>`. Ours is the store behind
 * `s3://`, theirs the SDK's `Upload` over a stream of the file, as the README of @aws-sdk/lib-storage has it.
 */

import { randomFillSync } from "node:crypto"
import { createReadStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { s3 } from "../../../connectors/s3/index.ts"
import { clientOf, credentials } from "./s3Server.ts"
import { begin, tell } from "./work.ts"

const [name = "", size = "0", folder = ".", url = "", bucket = ""] = process.argv.slice(2)
const file = join(folder, "object")
await writeFile(file, randomFillSync(Buffer.allocUnsafe(Number(size) * 1_000_000)))

const ours = Effect.gen(function* () {
  const store = yield* s3.open(`s3://${bucket}/${name}`, {
    endpoint: url,
    access_key: Redacted.make(credentials.accessKeyId),
    secret_key: Redacted.make(credentials.secretAccessKey)
  })
  yield* store.putFile("object", file)
})

const theirs = async () => {
  const { Upload } = await import("@aws-sdk/lib-storage")
  const params = { Bucket: bucket, Key: `${name}/object`, Body: createReadStream(file) }
  await new Upload({ client: clientOf(url), params }).done()
}

begin()
await (name === "ours" ? Effect.runPromise(Effect.scoped(ours)) : theirs())
tell(Number(size), "MB")
