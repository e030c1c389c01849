import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { buffer } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { gate, page } from "../service/scriptedSite.ts"
import { inFolder, millrace, query, start, withSite, write } from "./millrace.ts"

interface Line {
  readonly event: string
  readonly pipeline?: string
  readonly status?: string
}

/** A scheduler of the folder, and its lines as they come. */
const scheduler = (folder: string, ...args: ReadonlyArray<string>) => {
  const { ended, process } = start(folder, "schedule", ".", "--json", ...args)
  const lines: Array<Line> = []
  let [rest, stderr, look] = ["", "", () => {}]
  process.stdout?.on("data", (chunk) => {
    const parts = `${rest}${chunk}`.split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts.map((part): Line => JSON.parse(part)))
    look()
  })
  process.stderr?.on("data", (chunk) => {
    stderr += chunk
    look()
  })
  /** Waits until something is so, as lines come. */
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((done, fail) => {
      look = () => isSo() && done()
      look()
      void ended.then((end) => fail(new Error(`the scheduler ended with ${end.code}: ${end.stderr}`)))
    })
  const count = (event: string, pipeline: string) =>
    lines.filter((line) => line.event === event && line.pipeline === pipeline).length
  return { process, ended, lines, until, count, stderr: () => stderr }
}

const pipeline = (cron: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  `schedule: { cron: "${cron}" }`,
  "source: { type: crawl, url: http://site.test/ }",
  "sinks: { db: { type: duckdb, path: ./out.duckdb } }",
  ...more
]
const never = "0 0 1 1 *"

/** Changes a byte of the run that is under way, as a disk may. */
const changeRow = (file: string): void => {
  const database = new DatabaseSync(file)
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  const bytes = readFileSync(file)
  const row = /site[^]{6,16}running/.exec(bytes.toString("latin1"))
  if (row === null) throw new Error("no run is under way")
  const at = row.index + row[0].length - 1
  bytes[at] = bytes.readUInt8(at) ^ 1
  writeFileSync(file, bytes)
}

/** The lines of a pipeline with a database of its own. */
const ofItsOwn = (name: string) => (line: string) => line.replace("./out.duckdb", `./${name}.duckdb`)

describe("millrace schedule", () => {
  it("runs pipelines at their times, follows the folder, and ends with 0 when it is asked to", () =>
    withSite({ "/": page("home", "/a"), "/a": page("a") }, async ({ folder, resolve }) => {
      write(folder, "site.yaml", ...pipeline("* * * * * *"))
      const one = scheduler(folder, "--resolve", resolve)
      await one.until(() => one.count("ended", "site") > 0)

      write(folder, "site.yaml", "source: [")
      await one.until(() => one.count("broken", "site") > 0)
      const before = one.count("ended", "site")
      await one.until(() => one.count("ended", "site") > before + 1)
      write(folder, "site.yaml", ...pipeline(never))
      write(folder, "other.yaml", ...pipeline("* * * * * *", "name: other").map(ofItsOwn("other")))
      await one.until(() => one.count("changed", "site") > 0 && one.count("ended", "other") > 0)
      one.process.kill("SIGTERM")

      expect((await one.ended).code).toBe(0)
      expect(one.lines.filter(({ event, status }) => event === "ended" && status !== "done")).toEqual([])
      expect(await query(join(folder, "out.duckdb"), "SELECT count(*)::INTEGER AS n FROM pages")).toEqual([{ n: 2 }])

      const { stdout } = await millrace(folder, "schedule", ".", "--list", "--json")
      const listed = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      expect(listed).toMatchObject([
        { pipeline: "other", cron: "* * * * * *", last: { status: expect.stringMatching(/done|skipped/) } },
        { pipeline: "site", cron: never, timezone: "UTC", next: expect.stringMatching(/^\d{4}-01-01T00:00:00.000Z$/) }
      ])
    }))

  it("refuses a second one on the same folder, and says who has it", () =>
    inFolder(async (folder) => {
      write(folder, "site.yaml", ...pipeline(never))
      const one = scheduler(folder, "--port", "0")
      await one.until(() => one.stderr().includes("/") || one.stderr().includes("http"))

      const second = await millrace(folder, "schedule", ".")
      const other = await millrace(folder, "schedule", "run", "site.yaml")
      one.process.kill("SIGTERM")
      await one.ended

      const refusal = `is already scheduled by another process (${one.process.pid}); stop that one first\n`
      expect([second.code, second.stderr]).toEqual([1, `. ${refusal}`])
      expect([other.code, other.stderr]).toEqual([1, `${folder} ${refusal}`])
    }))

  it("says with --once that no pipeline file has a schedule", () =>
    inFolder(async (folder) => {
      const { code, stderr } = await millrace(folder, "schedule", ".", "--once")

      expect([code, stderr]).toEqual([0, "no pipeline file in . has a schedule\n"])
    }))

  it("refuses a path that is not a folder, and --at-once 0", () =>
    inFolder(async (folder) => {
      const nowhere = await millrace(folder, "schedule", "nowhere")
      const nothing = await millrace(folder, "schedule", ".", "--at-once", "0")
      write(folder, "one.yaml", "")
      const file = await millrace(folder, "schedule", "one.yaml")
      const listed = await millrace(folder, "schedule", "one.yaml", "--list")

      const refused = [2, "one.yaml: it is a file; name the folder that has it\n"]
      expect([file.code, file.stderr]).toEqual(refused)
      expect([listed.code, listed.stderr]).toEqual(refused)
      expect([nowhere.code, nowhere.stderr]).toEqual([
        2,
        "nowhere: there is no such folder; name one with pipeline files\n"
      ])
      expect([nothing.code, nothing.stderr]).toEqual([2, "--at-once must be at least 1\n"])
    }))

  it("lets a run end that is under way at the first signal, and at the second leaves it to the next scheduler", () => {
    const held = gate(page("home"))
    return withSite({ "/": held.answer }, async ({ folder, resolve, site }) => {
      write(folder, "site.yaml", ...pipeline("* * * * * *"))
      const one = scheduler(folder, "--resolve", resolve)
      await Effect.runPromise(held.reached)
      one.process.kill("SIGINT")
      await one.until(() => one.stderr().includes("waiting for the runs in progress"))
      one.process.kill("SIGINT")
      const first = await one.ended

      await Effect.runPromise(held.open)
      write(folder, "site.yaml", ...pipeline(never))
      const once = await millrace(folder, "schedule", ".", "--once", "--resolve", resolve)

      expect(first.code).toBe(130)
      expect(one.lines.filter(({ event }) => event === "ended")).toEqual([])
      expect(once.code).toBe(0)
      expect(once.stdout).toMatch(/ site: starts \(due [^)]*, resumed\)\n.* site: done in /)
      expect(await query(join(folder, "out.duckdb"), "SELECT count(*)::INTEGER AS n FROM crawl_jobs")).toEqual([
        { n: 1 }
      ])
      expect(site.requests.filter((path) => path === "/").length).toBeLessThanOrEqual(2)
    })
  })

  it("says once which run it has lost where its database is damaged, and ends with 1 with --once", () => {
    const held = gate(page("home"))
    return withSite({ "/": held.answer }, async ({ folder, resolve }) => {
      write(folder, "site.yaml", ...pipeline("* * * * * *"))
      const one = scheduler(folder, "--resolve", resolve)
      await Effect.runPromise(held.reached)
      one.process.kill("SIGINT")
      await one.until(() => one.stderr().includes("waiting for the runs in progress"))
      one.process.kill("SIGINT")
      await one.ended
      await Effect.runPromise(held.open)
      changeRow(join(folder, ".millrace/schedule.sqlite"))
      write(folder, "site.yaml", ...pipeline(never))

      const once = await millrace(folder, "schedule", ".", "--once", "--resolve", resolve)
      const again = await millrace(folder, "schedule", ".", "--once", "--resolve", resolve)

      expect(once.code).toBe(1)
      expect(once.stdout + once.stderr).toMatch(/runs task site, due \d+: a value of it was changed/)
      expect(again.code).toBe(0)
      expect(again.stdout + again.stderr).not.toContain("was changed")
    })
  })

  it("serves health and metrics, where a port is named", () =>
    withSite({ "/": page("home") }, async ({ folder, resolve }) => {
      write(folder, "site.yaml", ...pipeline("* * * * * *"))
      write(folder, "broken.yaml", ...pipeline("x"))
      const one = scheduler(folder, "--resolve", resolve, "--port", "0")
      await one.until(() => one.count("ended", "site") > 1)
      const url = /http:\S+/.exec(one.stderr())?.[0] ?? ""

      const health = await fetch(`${url}/health`)
      const metrics = await (await fetch(`${url}/metrics`)).text()
      const lost = await fetch(`${url}/other`)
      one.process.kill("SIGTERM")
      await one.ended

      expect(health.status).toBe(200)
      const healthy: any = await health.json()
      expect(healthy).toMatchObject({
        status: "ok",
        pipelines: [{ pipeline: "site", next: expect.stringMatching(/^2\d{3}-/) }],
        problems: { [join(folder, "broken.yaml")]: expect.stringContaining("is not a cron expression") }
      })
      const values = new Map(
        metrics
          .split("\n")
          .filter((line) => line !== "" && !line.startsWith("#"))
          .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))])
      )
      const of = (name: string, labels = 'pipeline="site"') => values.get(`millrace_schedule_${name}{${labels}}`)
      expect(of("runs_total", 'pipeline="site",status="done"')).toBeGreaterThan(1)
      expect(of("rows_total")).toBeGreaterThan(1)
      expect(of("failures_total")).toBe(0)
      expect(of("run_seconds_count")).toBeGreaterThan(1)
      expect(of("lag_seconds")).toBeGreaterThanOrEqual(0)
      expect(of("next_run_timestamp_seconds")).toBeGreaterThanOrEqual(Date.parse(healthy.pipelines[0].next) / 1000)
      expect(lost.status).toBe(404)
    }))

  it("sends spans and metrics to a collector that the environment names, those of a run below the scheduler's", () =>
    withSite({ "/": page("home") }, async ({ folder, resolve }) => {
      const received: Array<{ path: string; body: any; headers: unknown }> = []
      const collector = createServer(async (request, response) => {
        received.push({
          path: request.url ?? "",
          headers: request.headers["x-team"],
          body: JSON.parse((await buffer(request)).toString())
        })
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      })
      await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done))
      write(folder, "site.yaml", ...pipeline(never))
      const names = [
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OTEL_EXPORTER_OTLP_PROTOCOL",
        "OTEL_EXPORTER_OTLP_HEADERS"
      ] as const
      try {
        process.env[names[0]] = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
        process.env[names[1]] = "http/json"
        process.env[names[2]] = "x-team=data"
        expect((await millrace(folder, "schedule", "run", "site.yaml", "--resolve", resolve)).code).toBe(0)
      } finally {
        for (const name of names) delete process.env[name]
        collector.close()
      }

      const spans = received
        .filter(({ path }) => path === "/v1/traces")
        .flatMap(({ body }) => body.resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap((scope) => scope.spans)
      const scheduled = spans.find(({ name }) => name === "schedule.run")
      const run = spans.find(({ name }) => name === "Run.run")
      expect(scheduled.attributes).toContainEqual({ key: "pipeline", value: { stringValue: "site" } })
      expect(run).toMatchObject({ traceId: scheduled.traceId, parentSpanId: scheduled.spanId })
      expect(received.map(({ path }) => path)).toContain("/v1/metrics")
      expect(received.every(({ headers }) => headers === "data")).toBe(true)
      expect(JSON.stringify(received[0]?.body)).toContain('{"key":"service.name","value":{"stringValue":"millrace"}}')
    }))
})

describe("millrace schedule run", () => {
  it("runs now, with the exit codes of run, and is remembered", () =>
    withSite({ "/": page("home") }, async ({ folder, resolve }) => {
      write(folder, "good.yaml", ...pipeline(never))
      write(folder, "held.yaml", ...pipeline(never, "checks: [{ rows: { min: 5 } }]").map(ofItsOwn("held")))
      const told = [
        "notify:",
        "  - { type: command, run: [sh, -c, 'echo $MILLRACE_EVENT >> told'], on: [failed, recovered] }"
      ]
      const bad = pipeline(never, ...told, "network: { tries: 1 }").map(ofItsOwn("bad"))
      write(folder, "bad.yaml", ...bad.map((line) => line.replace("site.test", "nowhere.invalid")))
      const run = async (file: string) => (await millrace(folder, "schedule", "run", file, "--resolve", resolve)).code

      expect([await run("good.yaml"), await run("held.yaml"), await run("bad.yaml"), await run("none.yaml")]).toEqual([
        0, 3, 1, 2
      ])
      const { stderr } = await millrace(folder, "schedule", "run", "held.yaml", "--resolve", resolve)
      expect(stderr).toMatch(/^\S+ \S+ held: held in [^\n]+\n$/)
      const { stdout } = await millrace(folder, "schedule", ".", "--list")
      expect(stdout).toMatch(/^good +0 0 1 1 \* +UTC +\S+ \S+ +done /m)
      expect(stdout).toMatch(/^held .* held /m)
      expect(stdout).toMatch(/^bad .* failed /m)
    }))
})

describe("millrace schedule export", () => {
  it("wants one scheduler, and writes nothing where a file is wrong", () =>
    inFolder(async (folder) => {
      write(folder, "site.yaml", ...pipeline("30 2 * * *"))
      const none = await millrace(folder, "schedule", "export", ".")
      const cron = await millrace(folder, "schedule", "export", ".", "--cron")
      const units = await millrace(folder, "schedule", "export", ".", "--systemd", "--out", "units")
      write(folder, "site.yaml", ...pipeline("5/15 2 * * 7"))
      const plain = await millrace(folder, "schedule", "export", ".", "--cron")
      write(folder, "broken.yaml", ...pipeline("x"))
      const broken = await millrace(folder, "schedule", "export", ".", "--k8s", "--out", "jobs")

      expect([none.code, none.stderr]).toEqual([2, "name one scheduler: --systemd, --cron or --k8s\n"])
      expect(cron.stdout).toMatch(/^CRON_TZ=UTC\n# site\n30 2 \* \* \* cd \S+ && \S+\/bin\/millrace schedule run /m)
      expect(plain.stdout).toContain("\n5,20,35,50 2 * * 0 cd ")
      expect(cron.stderr).toBe("site: cron does not run missed times later\n")
      expect(units.stdout).toBe("units/millrace-site.service\nunits/millrace-site.timer\n")
      expect([broken.code, broken.stdout]).toEqual([2, ""])
      expect(broken.stderr).toContain("broken.yaml:1:19: ")
    }))
})
