/** An SMTP server on loopback that keeps what it is given. */
import { buffer } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import { SMTPServer } from "smtp-server"

export interface Got {
  readonly from: string
  readonly to: ReadonlyArray<string>
  /** Headers and body, as they came. */
  readonly text: string
}

export interface Options {
  readonly user?: string
  readonly password?: string
  /** Recipients by the beginning of their address, and what they are refused with. */
  readonly refuses?: Readonly<Record<string, number>>
}

/** Listens until the scope closes. */
export const mailServer = ({ password, refuses = {}, user }: Options = {}) => {
  const letters: Array<Got> = []
  const server = new SMTPServer({
    authOptional: user === undefined,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.username === user && auth.password === password
        ? done(null, { user })
        : done(Object.assign(new Error("no such user"), { responseCode: 535 })),
    onRcptTo: ({ address }, _session, done) => {
      const code = Object.entries(refuses).find(([name]) => address.startsWith(name))?.[1]
      done(code === undefined ? null : Object.assign(new Error("refused"), { responseCode: code }))
    },
    onData: (stream, { envelope }, done) =>
      void buffer(stream).then((bytes) => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address
        letters.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: bytes.toString() })
        done()
      })
  })
  server.on("error", () => {})
  return Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly letters: ReadonlyArray<Got> }>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.server.address()
        resume(Effect.succeed({ port: typeof address === "object" && address !== null ? address.port : 0, letters }))
      })
    }),
    () => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
  )
}
