import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { Mail, type MailConfig } from "#base/Mail"
import { mailServer } from "./mailServer.ts"

const letter = {
  id: "a-1",
  to: ["ann@example.test", "bob@example.test"],
  subject: "Mill:\r\nBcc: x@example.test",
  text: "It is open."
}

const send = (config: MailConfig | undefined) =>
  Effect.flatMap(Mail, (mail) => mail.send(letter)).pipe(Effect.provide(Mail.layer(config)))

it.live("hands a letter over to the server, with an id of its own and no header that was slipped in", () =>
  Effect.gen(function* () {
    const server = yield* mailServer({ user: "mill", password: "s3cret" })
    const url = Redacted.make(new URL(`smtp://mill:s3cret@127.0.0.1:${server.port}?tls=none`))
    yield* send({ server: url, from: "monitor@example.test" })
    const [got] = server.letters

    expect(got?.to).toEqual(["ann@example.test", "bob@example.test"])
    expect(got?.from).toBe("monitor@example.test")
    expect(got?.text).toMatch(/^Subject: Mill: Bcc: x@example.test\r$/m)
    expect(got?.text).toMatch(/^Message-ID: <a-1@millrace>\r$/im)
    expect(got?.text).not.toMatch(/^Bcc:/m)
    expect(got?.text).toContain("It is open.")
  })
)

it.live("says whether trying again may help, and neither the address nor the password", () =>
  Effect.gen(function* () {
    const server = yield* mailServer({ user: "mill", password: "s3cret", refuses: { ann: 550 } })
    const at = (password: string) => new URL(`smtp://mill:${password}@127.0.0.1:${server.port}?tls=none`)
    const wrong = yield* Effect.flip(send({ server: at("wr0ng"), from: "monitor@example.test" }))
    const gone = yield* Effect.flip(send({ server: new URL("smtp://127.0.0.1:1?tls=none"), from: "m@example.test" }))
    const none = yield* Effect.flip(send(undefined))

    expect(wrong).toMatchObject({ retryable: false, message: expect.stringMatching(/refused the e-mail with 535/) })
    expect(wrong.message).not.toContain("wr0ng")
    expect(gone).toMatchObject({ retryable: true, message: expect.stringMatching(/could not be reached/) })
    expect(none).toMatchObject({ retryable: false, message: "no mail server is configured" })
  })
)
