import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { webhookSecret } from "#app/serve/serveService"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-secret-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

describe("the webhook secret of a service", () => {
  it.effect("is made once, in a file that only its owner reads, and is the same ever after", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "webhook-secret")
      const first = Redacted.value(yield* webhookSecret(path))
      const second = Redacted.value(yield* webhookSecret(path))

      expect(first).toMatch(/^[0-9a-f]{64}$/)
      expect(second).toBe(first)
      expect(readFileSync(path, "utf8").trim()).toBe(first)
      expect(statSync(path).mode & 0o777).toBe(0o600)
    })
  )

  it.effect("is another one for another service", () =>
    Effect.gen(function* () {
      const at = yield* folder
      const [a, b] = [yield* webhookSecret(join(at, "a")), yield* webhookSecret(join(at, "b"))]

      expect(Redacted.value(a)).not.toBe(Redacted.value(b))
    })
  )

  it.effect("may be written by hand, and is not an empty one, which anybody could sign with", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "webhook-secret")
      writeFileSync(path, "  of-mine\n")
      expect(Redacted.value(yield* webhookSecret(path))).toBe("of-mine")
      writeFileSync(path, "\n")

      expect((yield* Effect.flip(webhookSecret(path))).message).toContain("is empty")
    })
  )

  it.effect("that cannot be kept ends the command with the reason", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "nowhere", "webhook-secret")

      expect((yield* Effect.flip(webhookSecret(path))).message).toMatch(/cannot use the webhook secret: .*nowhere/)
    })
  )
})
