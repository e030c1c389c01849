import { expect, it } from "vitest"
import * as KnownSecrets from "#base/KnownSecrets"

it("a secret is masked as it is, URL-encoded, in JSON and in base64, wherever it begins there, and its neighbours stay", () => {
  const secret = 'p@ss/w"rd+x 1'
  KnownSecrets.remember("postgres://loader:s3cr3t%2Fpassword@db.example.com/web")
  KnownSecrets.remember("short")
  KnownSecrets.remember(secret)

  for (const form of [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    JSON.stringify(secret).slice(1, -1)
  ]) {
    expect(KnownSecrets.masked(`a ${form} b`)).toBe("a [redacted] b")
  }
  for (const before of ["", "u", "us", "use", "user"]) {
    for (const encoding of ["base64", "base64url"] as const) {
      const text = Buffer.from(`${before}${secret}!`).toString(encoding)
      const shown = KnownSecrets.masked(text)
      expect([before, shown.includes("[redacted]"), shown.length < text.length]).toEqual([before, true, true])
    }
  }
  expect(KnownSecrets.masked("at postgres://loader:s3cr3t%2Fpassword@db.example.com/web, s3cr3t/password")).toBe(
    "at [redacted], [redacted]"
  )
  expect(KnownSecrets.masked("short and other words")).toBe("short and other words")
  const url = new URL("http://site.test/a?b=c")
  expect(KnownSecrets.maskedUrl(url)).toBe(url)
  expect(KnownSecrets.maskedUrl(new URL(`http://site.test/a?b=${encodeURIComponent(secret)}`)).href).not.toContain(
    "w%22rd"
  )
  expect(KnownSecrets.maskedTexts({ a: [`x${secret}`, 1, null] })).toEqual({ a: ["x[redacted]", 1, null] })
})
