/** Real processes of `millrace serve` on one Postgres, their crawls, and what is asked of them. */
import type { ChildProcess } from "node:child_process"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { command, startBy } from "../../app/millrace.ts"
import { ask } from "../../e2e/servedProcess.ts"

export interface Process {
  readonly url: string
  readonly pid: number
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
  /** Resolves when it has ended, with what it said. */
  readonly ended: Effect.Effect<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

export const urlOf = (database: string | Redacted.Redacted): string =>
  Redacted.isRedacted(database) ? Redacted.value(database) : database

/** Killed with the scope, or before. `site`: where the sites are; `inside`: what starts it elsewhere, as another network. */
export const process = Effect.fnUntraced(function* (
  database: string,
  port: number,
  names: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = [],
  { inside = [], site = "127.0.0.1" }: { readonly inside?: ReadonlyArray<string>; readonly site?: string } = {}
) {
  const { process, ended } = yield* Effect.acquireRelease(
    Effect.sync(() =>
      startBy(
        [...inside, command],
        tmpdir(),
        "serve",
        "--port=0",
        `--database=${database}`,
        "--webhook-secret=whsec-1",
        ...names.map((name) => `--resolve=${name}=${site}:${port}`),
        ...flags
      )
    ),
    ({ process: one }) =>
      Effect.sync(() => {
        one.kill("SIGCONT")
        one.kill("SIGKILL")
      })
  )
  const url = yield* Effect.promise(() => announced(process, ended))
  const own: Process = {
    url,
    pid: process.pid ?? 0,
    signal: (name) => Effect.sync(() => void process.kill(name)),
    ended: Effect.promise(() => ended)
  }
  return own
})

const announced = (process: ChildProcess, ended: Promise<{ readonly stderr: string }>): Promise<string> =>
  new Promise((done, fail) => {
    let said = ""
    process.stdout?.on("data", (chunk) => {
      said += String(chunk)
      const [url] = /http:\S+(?=\n)/.exec(said) ?? []
      if (url !== undefined) done(url)
    })
    void ended.then(({ stderr }) => fail(new Error(`the service ended: ${stderr}`)))
  })

/** Starts a crawl of one host; what it gives is its id. */
export const crawl = (url: string, host: string, options: object = {}): Effect.Effect<string> =>
  Effect.map(
    ask(`${url}/v2/crawl`, { url: `http://${host}/`, sitemap: "skip", limit: 1000, ...options }),
    ({ id }) => id
  )

export interface Status {
  readonly status: string
  /** Why it failed, if so. */
  readonly error: string | undefined
  readonly titles: ReadonlyArray<string>
  /** Why pages failed. */
  readonly errors: ReadonlyArray<{ readonly code: string; readonly error: string }>
  readonly ledger: {
    readonly discovered: number
    readonly scraped: number
    readonly failed: number
    readonly blocked: number
  }
}

/** Reads a crawl to its end, through a process that is there. */
export const readToEnd = Effect.fnUntraced(function* (url: string, id: string) {
  const titles: Array<string> = []
  for (;;) {
    const body = yield* ask(`${url}/v2/crawl/${id}?skip=${titles.length}`)
    // The database may have been away just then.
    if (!Array.isArray(body.data)) continue
    titles.push(...body.data.map(({ metadata }: { metadata: { title: string } }) => metadata.title))
    if (body.status !== "scraping" && body.data.length === 0) {
      const { errors = [] } = body.ledger.failed === 0 ? {} : yield* ask(`${url}/v2/crawl/${id}/errors`)
      const read: Status = {
        status: body.status,
        error: body.error,
        titles: titles.toSorted(),
        ledger: body.ledger,
        errors
      }
      return read
    }
  }
})
