/** A schema of values that stay as they are within a process, and are sealed bytes between processes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { SealedBytes } from "./sealedBytes.ts"

export const sealedCodec = <A extends object>(
  { open, seal }: SealedBytes,
  encode: (value: A) => Uint8Array,
  decode: (bytes: Uint8Array) => A
) =>
  Schema.Uint8Array.pipe(
    Schema.decodeTo(
      // The check may be weak: the compiler refuses other values, and what comes from outside was decoded below.
      Schema.declare((value: unknown): value is A => typeof value === "object" && value !== null),
      SchemaTransformation.transformEffect<A, Uint8Array>({
        decode: (bytes) => {
          const opened = open(bytes)
          return opened === undefined
            ? Effect.fail(new SchemaIssue.InvalidValue({ expected: "bytes of a process of this database" }, undefined))
            : Effect.try({ try: () => decode(opened), catch: () => unreadable })
        },
        encode: (value) => Effect.sync(() => seal(encode(value)))
      })
    )
  )

const unreadable = new SchemaIssue.InvalidValue({ expected: "bytes of the same version" }, undefined)
