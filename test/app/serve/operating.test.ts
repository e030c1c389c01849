/** What an operator of `millrace serve` sees and does: traces, access log, metrics, probes, new keys, one process a folder. */
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import { page } from "../../service/scriptedSite.ts"
import { inFolder, start, withSite, write } from "../millrace.ts"

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: { readonly stringValue?: string } }>
}

/** A collector of OTLP/HTTP in JSON: what it was sent. */
const collector = async () => {
  const spans: Array<Span> = []
  const paths = new Set<string>()
  const server = createServer(async (request, response) => {
    const { resourceSpans = [] } = JSON.parse((await buffer(request)).toString())
    paths.add(request.url ?? "")
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json"
  }
  return { spans, paths, environment, close: () => server.close() }
}

/** A trace as text: each span below its parent, with what it is about. */
const drawn = (spans: ReadonlyArray<Span>, parent: string, depth = 0): ReadonlyArray<string> =>
  spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .flatMap(({ attributes, name, spanId }) => {
      const about = attributes.find(({ key }) => key === "url.full" && name === "page")?.value.stringValue ?? ""
      return [`${"  ".repeat(depth)}${name} ${about}`.trimEnd(), ...drawn(spans, spanId, depth + 1)]
    })

/** Starts a command with these variables of the environment. */
const startIn = (environment: Readonly<Record<string, string>>, folder: string, ...args: ReadonlyArray<string>) => {
  Object.assign(process.env, environment)
  try {
    return start(folder, ...args)
  } finally {
    for (const name of Object.keys(environment)) delete process.env[name]
  }
}

/** The URL that a service says. */
const listening = ({ process }: ReturnType<typeof start>) =>
  new Promise<string>((done) =>
    process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
  )

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const callerSpan = "00f067aa0ba902b7"
const traceparent = `00-${traceId}-${callerSpan}-01`

const site = { "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") }

describe("a service that is watched", () => {
  it(
    "has one trace from the request to the job to its pages, a line and an id for each request, and its numbers",
    () =>
      withSite(site, async ({ folder, resolve }) => {
        const { close, environment, paths, spans } = await collector()
        const served = startIn(
          environment,
          folder,
          "serve",
          "--port=0",
          "--access-log=access.jsonl",
          "--resolve",
          resolve
        )
        const url = await listening(served)
        const ask = async (path: string, init: RequestInit = {}) => {
          const answer = await fetch(url + path, init)
          return { status: answer.status, id: answer.headers.get("x-request-id"), text: await answer.text() }
        }
        const headers = { "content-type": "application/json", traceparent, "x-request-id": "mine-1" }
        const body = JSON.stringify({ url: "http://site.test/", sitemap: "skip" })
        const started = await ask("/v2/crawl", { method: "POST", headers, body })
        const { id } = JSON.parse(started.text)
        let skip = 0
        for (let status = "scraping"; status === "scraping"; ) {
          const answer = JSON.parse((await ask(`/v2/crawl/${id}?skip=${skip}`)).text)
          status = answer.status
          skip += answer.data.length
        }
        const missing = await ask("/v2/crawl/0196b8e2-0000-7000-8000-000000000000?secret=word")
        const probes = [await ask("/livez"), await ask("/readyz")]
        const metrics = await ask("/metrics")
        served.process.kill("SIGTERM")
        await served.ended
        close()

        expect([started.status, started.id]).toEqual([200, "mine-1"])
        expect(missing.id).toMatch(/^[\da-f-]{36}$/)
        expect(probes.map(({ status, text }) => [status, text])).toEqual(
          Array.from({ length: 2 }, () => [200, '{"status":"ok"}'])
        )
        const own = spans.filter((span) => span.traceId === traceId)
        const lines = drawn(own, callerSpan).filter((line) => !line.includes("sql"))
        expect(lines.filter((line) => !line.includes("page"))).toEqual([
          "POST",
          "  CrawlJobs.start",
          "    Jobs.begin",
          "      job",
          "        Crawler.run"
        ])
        expect(lines.filter((line) => line.includes("page")).toSorted()).toEqual(
          ["/", "/a", "/b"].map((path) => `          page http://site.test${path}`)
        )
        expect([...paths].toSorted()).toEqual(expect.arrayContaining(["/v1/metrics", "/v1/traces"]))
        const log = readFileSync(join(folder, "access.jsonl"), "utf8")
        const entries = log
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        expect(entries[0]).toMatchObject({
          id: "mine-1",
          method: "POST",
          route: "/v2/crawl",
          status: 200,
          trace: traceId
        })
        expect(entries.find((entry) => entry.id === missing.id)).toMatchObject({ route: "/v2/crawl/:id", status: 400 })
        expect(log).not.toContain("word")
        for (const line of [
          /^millrace_http_requests_total\{method="POST",route="\/v2\/crawl",status="200"\} 1$/m,
          /^millrace_http_requests_total\{method="GET",route="\/v2\/crawl\/:id",status="400"\} 1$/m,
          /^millrace_http_request_seconds_count\{method="POST",route="\/v2\/crawl"\} 1$/m,
          /^process_resident_memory_bytes \d{7,}$/m,
          /^nodejs_eventloop_lag_seconds\{quantile="0.99"\} [\d.e-]+$/m
        ])
          expect(metrics.text).toMatch(line)
      }),
    120_000
  )

  it(
    "takes new keys at SIGHUP, says what has changed, and keeps the old ones where the file is wrong",
    () =>
      inFolder(async (folder) => {
        const keys = write(folder, "keys.yaml", "keys:", "  - { key: fc-a, team: a }", "  - { key: fc-b, team: b }")
        const served = start(folder, "serve", "--port=0", "--keys=keys.yaml")
        let told = ""
        served.process.stderr?.on("data", (chunk) => (told += chunk))
        const hears = (text: RegExp) =>
          new Promise<string>((done) => {
            const look = () => text.test(told) && done(told)
            served.process.stderr?.on("data", look)
            look()
          })
        const url = await listening(served)
        const status = async (key: string) =>
          (await fetch(`${url}/v2/concurrency-check`, { headers: { authorization: `Bearer ${key}` } })).status
        const before = [await status("fc-a"), await status("fc-b"), await status("fc-c")]

        writeFileSync(
          join(folder, "keys.yaml"),
          "plans: { small: { concurrency: 2 } }\nkeys:\n  - { key: fc-a, team: a, plan: small }\n  - { key: fc-c, team: c }\n"
        )
        served.process.kill("SIGHUP")
        await hears(/read again/)
        const after = [await status("fc-a"), await status("fc-b"), await status("fc-c")]
        writeFileSync(join(folder, "keys.yaml"), "keys:\n  - { key: fc-a, team: a, plan: none }\n")
        served.process.kill("SIGHUP")
        await hears(/is wrong/)
        const still = [await status("fc-a"), await status("fc-b"), await status("fc-c")]
        served.process.kill("SIGTERM")
        const { stderr } = await served.ended

        expect(keys).toContain("keys.yaml")
        expect([before, after, still]).toEqual([
          [200, 200, 401],
          [200, 401, 200],
          [200, 401, 200]
        ])
        expect(stderr).toContain(
          "team a: concurrency 50 -> 2; team b: a key removed, it has no key any more; team c: a key added"
        )
        expect(stderr).toMatch(/keys\.yaml is wrong, and its keys stay as they were:\n.*there is no plan `none`/s)
      }),
    120_000
  )

  it(
    "takes new keys of a mounted secret, whose folder is replaced behind links",
    () =>
      inFolder(async (folder) => {
        const mount = (version: string, team: string) => {
          mkdirSync(join(folder, version))
          writeFileSync(join(folder, version, "keys.yaml"), `keys:\n  - { key: fc-${team}, team: ${team} }\n`)
          symlinkSync(version, join(folder, "..data_tmp"))
          renameSync(join(folder, "..data_tmp"), join(folder, "..data"))
        }
        mount("..first", "a")
        symlinkSync(join("..data", "keys.yaml"), join(folder, "keys.yaml"))
        const served = start(folder, "serve", "--port=0", "--data=data", "--keys=keys.yaml")
        const read = new Promise<string>((done) =>
          served.process.stderr?.on("data", (chunk) => /read again/.test(String(chunk)) && done(String(chunk)))
        )
        await listening(served)
        mount("..second", "b")
        const said = await read
        served.process.kill("SIGTERM")
        await served.ended

        expect(said).toContain("(it has changed): team a: a key removed, it has no key any more; team b: a key added")
      }),
    120_000
  )

  it(
    "is the only one of its folder: a second one is refused",
    () =>
      inFolder(async (folder) => {
        const first = start(folder, "serve", "--port=0", "--data=data")
        await listening(first)
        const second = await start(folder, "serve", "--port=0", "--data=data").ended
        first.process.kill("SIGTERM")
        await first.ended
        const third = start(folder, "serve", "--port=0", "--data=data")
        const url = await listening(third)
        third.process.kill("SIGTERM")
        await third.ended

        expect(second.code).toBe(1)
        expect(second.stderr).toMatch(/another millrace serve \(process \d+\) uses data\/service\.sqlite: stop it/)
        expect(url).toMatch(/^http/)
      }),
    120_000
  )
})

describe("a run that is watched", () => {
  it(
    "belongs to the trace of the program that starts it, from its job to its commit",
    () =>
      withSite(site, async ({ folder, resolve }) => {
        const { close, environment, spans } = await collector()
        write(
          folder,
          "site.yaml",
          "name: site",
          "source: { type: crawl, url: http://site.test/, sitemap: skip }",
          "sinks: { out: { type: duckdb, path: out.duckdb } }"
        )
        const run = startIn(
          { ...environment, TRACEPARENT: traceparent },
          folder,
          "run",
          "site.yaml",
          "--resolve",
          resolve
        )
        const { code, stderr } = await run.ended
        close()

        expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
        const names = drawn(
          spans.filter((span) => span.traceId === traceId),
          callerSpan
        ).map((line) => line.trim())
        expect(names).toEqual(
          expect.arrayContaining(["Run.run", "Crawler.run", "page http://site.test/a", "Attempt.commit"])
        )
      }),
    120_000
  )
})
