/**
 * Bytes that only processes of the same database can read and write (AES-256-GCM).
 *
 * What crosses between processes holds headers of callers and makes its reader fetch: so it is refused unless it was sealed
 * with the key that is in the database.
 */
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto"

export interface SealedBytes {
  readonly seal: (bytes: Uint8Array) => Uint8Array
  /** Undefined: it was not sealed with this key, or was changed since. */
  readonly open: (sealed: Uint8Array) => Uint8Array | undefined
}

/** `secret`: 32 bytes. */
export const make = (secret: Uint8Array): SealedBytes => {
  const key = createSecretKey(secret)
  return {
    seal: (bytes) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv("aes-256-gcm", key, nonce)
      const body = [cipher.update(bytes), cipher.final()]
      return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), ...body]))
    },
    open: (sealed) => {
      if (sealed.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
      } catch {
        // GCM says so of what another key has sealed.
        return undefined
      }
    }
  }
}

export const secretBytes = 32
const nonceBytes = 12
const tagBytes = 16
