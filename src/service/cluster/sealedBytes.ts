/**
 * Bytes that only processes of the same database can read and write (AES-256-GCM).
 *
 * What crosses between processes holds headers of callers and makes its reader fetch: so it is refused unless it was sealed
 * with the key that is in the database.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hash, randomFillSync } from "node:crypto"

export interface SealedBytes {
  readonly seal: (bytes: Uint8Array) => Uint8Array
  /** Undefined: it was not sealed with this key, or was changed since. */
  readonly open: (sealed: Uint8Array) => Uint8Array | undefined
  /** Another name for what may be a secret. It is the same in all processes, and nobody else can know what it names. */
  readonly hide: (name: string) => string
}

/** `secret`: 32 bytes. */
export const make = (secret: Uint8Array): SealedBytes => {
  const key = createSecretKey(secret)
  const prefix = Buffer.from(secret).toString("hex")
  const nonces = noncesOf()
  return {
    seal: (bytes) => {
      const nonce = nonces()
      const cipher = createCipheriv("aes-256-gcm", key, nonce)
      const sealed = new Uint8Array(nonceBytes + tagBytes + bytes.length)
      sealed.set(nonce)
      // GCM gives as many bytes as it gets, all of them at once.
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
        // GCM says so of what another key has sealed.
        return undefined
      }
    },
    hide: (name) => hash("sha256", `${prefix} ${name}`)
  }
}

/** Random bytes are drawn for many at a time: to draw takes long, however few they are. */
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
