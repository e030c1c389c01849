import * as Cron from "effect/Cron"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as PipelineFile from "#engine/PipelineFile"
import { toyConnectors } from "./toyConnectors.ts"

type Given = Partial<PipelineFile.LoadOptions<never>>

const load = (text: string, given: Given = {}, path = "/jobs/nightly.yaml") =>
  PipelineFile.load(path, text, {
    connectors: toyConnectors,
    env: {},
    runDate: new Date("2026-11-21T23:30:00Z"),
    runId: "run-7",
    ...given
  })

const loaded = (text: string, given?: Given, path?: string) => Effect.runPromise(load(text, given, path))

const rendered = (text: string, given?: Given, path?: string) =>
  Effect.runPromise(Effect.flip(load(text, given, path))).then((error) => error.render())

/** The options that the toy source was bound to. */
const optionsOf = (file: PipelineFile.PipelineFile<never>): unknown => JSON.parse(file.source.tables[0].description)

const minimal = `source: { type: crawl, url: "https://a.example" }
sinks: { out: { type: duckdb, path: out.duckdb } }
`

describe("a file that is right", () => {
  it("gives everything that it says", async () => {
    const file = await loaded(
      `# yaml-language-server: $schema=./pipeline.schema.json
name: docs
schedule:
  { cron: "0 2 * * *", timezone: Europe/Berlin, overlap: queue, catch_up: all, jitter: 5m, retries: 3, backoff: 30s, timeout: 2h }
notify:
  - { type: webhook, url: "\${secrets.HOOK}", secret: plain, headers: { x-b: "2" } }
  - { type: email, to: [a@b.example], on: [held, changed] }
source:
  type: crawl
  url: https://docs.example.com
  limit: 2000
  includePaths: ["^/guide/", "\\\\d{4}$"]
  scrapeOptions: { formats: [markdown, { type: json, prompt: the price }], headers: { x-a: "1" } }
  token: plain
table: { name: pages, key: [url, words], fingerprint: markdown, nested: tables, contract: quarantine }
steps:
  - derive: { words: "len(markdown)" }
  - { table: pages, mask: { title: hash }, salt: "\${secrets.KEY}" }
checks: [{ rows: { min: 1, drop: 20% } }, { not_null: [url, title] }]
journal: { keep: 30 days, max: 500 MB }
sinks:
  warehouse: { type: duckdb, path: ./warehouse.duckdb, write: merge }
  lake: { type: parquet, path: "s3://acme/pages" }
limits: { credits: 2500, concurrency: 5 }
service: { url: "https://api.example.com/base", key: "\${secrets.KEY}" }
network: { allow_private: true, resolve: ["shop.example=127.0.0.1:8080", "six.example=[::1]:80"] }
`,
      { env: { MILLRACE_SECRET_KEY: "sk-1", MILLRACE_SECRET_HOOK: "https://hooks.example/1" } }
    )
    expect(file).toMatchObject({
      name: "docs",
      path: "/jobs/nightly.yaml",
      directory: "/jobs",
      sourceType: "crawl",
      table: {
        name: "pages",
        key: ["url", "words"],
        fingerprint: ["markdown"],
        nested: "tables",
        contract: "quarantine"
      },
      steps: [{ derive: { words: "len(markdown)" } }, { table: "pages", mask: { title: "hash" } }],
      checks: [{ rows: { min: 1, drop: "20%" } }, { not_null: ["url", "title"] }],
      journal: { keepMillis: 30 * 24 * 3_600_000, bytes: 5e8 },
      limits: { credits: 2500, concurrency: 5 },
      schedule: {
        expression: "0 2 * * *",
        timezone: "Europe/Berlin",
        overlap: "queue",
        catch_up: "all",
        jitterMillis: 300_000,
        retries: 3,
        backoffMillis: 30_000,
        timeoutMillis: 7_200_000
      },
      notify: [
        { type: "webhook", headers: {} },
        { type: "email", to: ["a@b.example"], on: ["held", "changed"] }
      ],
      network: { allow_private: true, resolve: ["shop.example=127.0.0.1:8080", "six.example=[::1]:80"] }
    })
    expect(optionsOf(file)).toEqual({
      url: "https://docs.example.com",
      limit: 2000,
      includePaths: ["^/guide/", "\\d{4}$"],
      scrapeOptions: { formats: ["markdown", { type: "json", prompt: "the price" }], headers: { "x-a": "1" } },
      token: "plain"
    })
    expect(Object.entries(file.sinks).map(([name, sink]) => [name, sink.type])).toEqual([
      ["warehouse", "duckdb"],
      ["lake", "parquet"]
    ])
    const { service } = file
    if (service === "embedded" || service.key === undefined) throw new Error("the service has an address and a key")
    expect(service.url).toBe("https://api.example.com/base")
    expect(Redacted.value(service.key)).toBe("sk-1")
    expect(JSON.stringify([service, file.steps])).not.toContain("sk-1")
  })

  it("says what is found wrong later at its place in the file", async () => {
    const file = await loaded(`${minimal}steps:\n  - where: "true"\n  - where: nope\n`)

    expect(file.problemAt(["steps", 1, "where"], "there is no column nope").render()).toBe(
      `/jobs/nightly.yaml:5:12: there is no column nope\n      - where: nope\n               ^`
    )
  })

  it("needs no more than a source and a sink", async () => {
    const file = await loaded(minimal)
    expect(file).toMatchObject({
      name: "nightly",
      limits: {},
      service: "embedded",
      network: { allow_private: false, resolve: [] }
    })
    expect([file.table, file.steps, file.checks, file.journal, file.schedule]).toEqual([{}, [], [], {}, undefined])
  })

  it("takes a proxy with a secret in it, none, and how often a page is tried", async () => {
    const minimal = 'source: { type: crawl, url: "https://a.example" }\nsinks: { db: { type: duckdb, path: a } }\n'
    const network = async (text: string) =>
      (await loaded(`${minimal}network: ${text}\n`, { env: { MILLRACE_SECRET_PROXY: "p@ss" } })).network
    const { accept_wrong_length, in_flight, per_host, proxy, tries } = await network(
      '{ proxy: "http://me:${secrets.PROXY}@proxy:3128", tries: 5, per_host: 2, in_flight: 40, accept_wrong_length: true }'
    )
    expect(accept_wrong_length).toBe(true)
    expect(per_host).toBe(2)
    expect(in_flight).toBe(40)

    expect([proxy === undefined ? "" : Redacted.value(proxy), String(proxy), tries]).toEqual([
      "http://me:p@ss@proxy:3128",
      expect.not.stringContaining("p@ss"),
      5
    ])
    expect((await network("{ proxy: none }")).proxy).toEqual(Redacted.make("none"))
    expect((await network("{ allow_private: true }")).proxy).toBeUndefined()
  })

  it("keeps the sinks in the order of the text", async () => {
    const file = await loaded(`source: { type: crawl, url: a }
sinks:
  z: { type: duckdb, path: a }
  a: { type: parquet, path: b }
  m: { type: duckdb, path: c }
`)
    expect(Object.keys(file.sinks)).toEqual(["z", "a", "m"])
  })

  it("may begin with a byte order mark and end its lines as Windows does", async () => {
    const file = await loaded(`\uFEFF${minimal.replaceAll("\n", "\r\n")}`)
    expect(optionsOf(file)).toEqual({ url: "https://a.example" })
  })

  it("is named after the last part of its path", async () => {
    const paths = ["a.yml", "/x/b.c.yaml", "C:\\jobs\\d.yaml"]
    const files = await Promise.all(paths.map((path) => loaded(minimal, {}, path)))
    expect(files.map(({ directory, name }) => [name, directory])).toEqual([
      ["a", "."],
      ["b.c", "/x"],
      ["d", "C:\\jobs"]
    ])
  })

  it("schedules by an alias, in its time zone", async () => {
    const file = await loaded(`${minimal}schedule: { cron: "@daily", timezone: America/New_York }\n`)
    const next = file.schedule && Cron.next(file.schedule.cron, new Date("2026-07-01T12:00:00Z"))
    expect(next).toEqual(new Date("2026-07-02T04:00:00Z"))
    expect(file.schedule).toMatchObject({
      expression: "0 0 * * *",
      overlap: "skip",
      catch_up: "last",
      jitterMillis: 0,
      retries: 0,
      backoffMillis: 60_000,
      timeoutMillis: undefined
    })
    expect(file.notify).toEqual([])
  })
})

describe("interpolation", () => {
  const withSource = (options: string) => `source: { type: crawl, ${options} }
sinks: { out: { type: duckdb, path: out } }
`

  it("puts in the environment, variables, secrets and the run", async () => {
    const file = await loaded(
      `vars: { host: docs.example.com, depth: 3, base: "https://\${vars.host}" }
schedule: { cron: "0 2 * * *", timezone: Europe/Berlin }
${withSource(`url: "\${vars.base}/\${env.ROOT:-start}/\${vars.depth}?d=\${run.date}&r=\${run.id}&x=$\${y}", token: "t-\${secrets.TOKEN}"`)}`,
      { env: { ROOT: "" }, secrets: (name) => (name === "TOKEN" ? "s3cret" : { message: `no ${name}` }) }
    )
    expect(optionsOf(file)).toEqual({
      url: "https://docs.example.com/start/3?d=2026-11-22&r=run-7&x=${y}",
      token: "t-s3cret"
    })
  })

  it("reads a number and a truth value from a leaf that is one expression", async () => {
    const file = await loaded(
      withSource(`url: "\${env.N}", limit: "\${env.N}", crawlEntireDomain: "\${env.B}", delay: "\${env.D:-0.5}"`),
      { env: { N: "20", B: "true" } }
    )
    expect(optionsOf(file)).toEqual({ url: "20", limit: 20, crawlEntireDomain: true, delay: 0.5 })
  })

  it("prefers the caller's variables to the file's", async () => {
    const file = await loaded(`vars: { a: file, b: "\${vars.a}" }\n${withSource(`url: "\${vars.a} \${vars.b}"`)}`, {
      vars: { a: "caller" }
    })
    expect(optionsOf(file)).toEqual({ url: "caller caller" })
  })

  it("does not read again what it put in", async () => {
    const file = await loaded(withSource(`url: "\${env.A}"`), { env: { A: "${env.B}: [x]", B: "no" } })
    expect(optionsOf(file)).toEqual({ url: "${env.B}: [x]" })
  })

  it("says how to set what is not set, where it stands", async () => {
    const text = `vars: { topic: x }
source:
  type: crawl
  url: "https://\${env.HOST}/\${vars.topik}"
  token: \${secrets.T}
  scrapeOptions:
    headers:
      a: \${HOME}
      b: x \${evn.X}
      c: "\${run.day}"
      d: \${vars.topic:-x}
      e: '\${open'
sinks: { out: { type: duckdb, path: out } }
`
    expect(await rendered(text)).toMatchInlineSnapshot(`
      "/jobs/nightly.yaml:4:17: the environment variable HOST is not set
            url: "https://\${env.HOST}/\${vars.topik}"
                          ^
        hint: set it before the run, or give a default: \${env.HOST:-...}
      /jobs/nightly.yaml:4:29: the variable topik is not set
            url: "https://\${env.HOST}/\${vars.topik}"
                                      ^
        hint: did you mean \`\${vars.topic}\`?
      /jobs/nightly.yaml:5:10: the secret T is not set
            token: \${secrets.T}
                   ^
        hint: set the environment variable MILLRACE_SECRET_T
      /jobs/nightly.yaml:8:10: \`\${HOME}\` is not defined
                a: \${HOME}
                   ^
        hint: did you mean \`\${env.HOME}\`?
      /jobs/nightly.yaml:9:12: \`\${evn.X}\` is not defined
                b: x \${evn.X}
                     ^
        hint: did you mean \`\${env.X}\`?
      /jobs/nightly.yaml:10:11: \`\${run.day}\` is not defined
                c: "\${run.day}"
                    ^
        hint: a run has \${run.date} and \${run.id}
      /jobs/nightly.yaml:11:10: \`\${vars.topic:-x}\` cannot have a default
                d: \${vars.topic:-x}
                   ^
        hint: only \${env.NAME:-default} and \${interval.NAME:-default} can
      /jobs/nightly.yaml:12:11: \`\${\` is not closed
                e: '\${open'
                    ^
        hint: close it with \`}\`, or write \`$\${\` for the text \`\${\`"
    `)
  })

  it("lets a secret stand only where it is kept secret", async () => {
    const text = `${minimal}vars: { a: "\${secrets.K}" }\nname: "\${secrets.K}"\n`
    expect(
      await rendered(text, { env: { MILLRACE_SECRET_K: "s3cret" } })
    ).toBe(`/jobs/nightly.yaml:3:12: \`vars.a\` cannot hold a secret: it is written to logs and tables
    vars: { a: "\${secrets.K}" }
               ^
  hint: use \${env.NAME} for what is not secret
/jobs/nightly.yaml:4:7: \`name\` cannot hold a secret: it is written to logs and tables
    name: "\${secrets.K}"
          ^
  hint: use \${env.NAME} for what is not secret`)
  })
})

describe("a file that is cut off or mistyped anywhere", () => {
  const whole = `# nightly
schedule: { cron: "0 2 * * *", timezone: Europe/Berlin }
vars: { host: a.example }
source:
  type: crawl
  url: "https://\${vars.host}/\${run.date}"
  scrapeOptions: { formats: [markdown, { type: json, prompt: x }] }
table: { key: [url], fingerprint: markdown }
sinks:
  out: { type: duckdb, path: out.duckdb, write: merge }
service: { url: "https://api.example.com", key: "\${secrets.K}" }
`
  it("loads or tells its problems, each inside the text", async () => {
    const cuts = Array.from({ length: whole.length }, (_, at) => whole.slice(0, at))
    const slips = ["{", "]", "'", "\t", "&a ", "*a", ": ", "- ", "\u0000", "\n", "${", "!", "9"]
    const typos = Array.from({ length: whole.length }, (_, at) =>
      [whole.slice(0, at), slips[at % slips.length], whole.slice(at)].join("")
    )
    for (const text of [...cuts, ...typos]) {
      const result = await Effect.runPromise(Effect.result(load(text, { env: { MILLRACE_SECRET_K: "k" } })))
      if (Result.isSuccess(result)) continue
      const { issues } = result.failure
      expect(issues.length).toBeGreaterThan(0)
      for (const { column, line, source } of issues) {
        expect(source).toBe(text.split("\n")[line - 1])
        expect(column).toBeLessThanOrEqual(source.length + 1)
      }
      const places = issues.map(({ column, line }) => line * 10_000 + column)
      expect(places).toEqual([...places].sort((a, b) => a - b))
    }
  })
})
