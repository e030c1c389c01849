/**
 * Bytes that only processes of the same database can read and write (AES-256-GCM).
 *
 * A message between processes holds headers of callers and makes its reader send requests: so it is refused unless it was
 * encrypted with the key in the database.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hash, randomFillSync } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

export interface SealedBytes {
  readonly seal: (bytes: Uint8Array) => Uint8Array
  /** Returns undefined if the bytes were sealed with another key, or changed since. */
  readonly open: (sealed: Uint8Array) => Uint8Array | undefined
  /** Replaces a name that may be a secret: all processes get the same hash, and nobody else can find the name. */
  readonly hide: (name: string) => string
}

/** `secret`: 32 bytes. */
export const withSecret = (secret: Uint8Array): SealedBytes => {
  const key = createSecretKey(secret)
  const prefix = Buffer.from(secret).toString("hex")
  const nonces = noncesOf()
  return {
    seal: (bytes) => {
      const nonce = nonces()
      const cipher = createCipheriv("aes-256-gcm", key, nonce)
      const sealed = new Uint8Array(nonceBytes + tagBytes + bytes.length)
      sealed.set(nonce)
      // GCM returns as many bytes as it gets, all of them in this call.
      sealed.set(cipher.update(bytes), nonceBytes + tagBytes)
      cipher.final()
      sealed.set(cipher.getAuthTag(), nonceBytes)
      return sealed
    },
    open: (sealed) => {
      if (sealed.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        const bytes = decipher.update(sealed.subarray(nonceBytes + tagBytes))
        decipher.final()
        return bytes
      } catch {
        // The tag does not match: another key, or changed bytes.
        return undefined
      }
    },
    hide: (name) => hash("sha256", `${prefix} ${name}`)
  }
}

/** Draws the random bytes of many nonces at once: a draw is slow, however few bytes it needs. */
const noncesOf = (): (() => Uint8Array) => {
  const drawn = Buffer.alloc(nonceBytes * 256)
  let at = drawn.length
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn)
      at = 0
    }
    at += nonceBytes
    return drawn.subarray(at - nonceBytes, at)
  }
}

export const secretBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** A schema of values that stay as they are within a process, and are sealed bytes between processes. */
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
