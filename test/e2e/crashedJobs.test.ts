/**
 * Real runs of the sources extract and agent by the command line, killed with SIGKILL behind an answer, and run again: what
 * is in the destination then is what one run would have left, and no job was started twice.
 */
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { randomFrom, seed } from "#testing/specimens"
import { inFolder, millrace, query, start, statuses, write } from "../app/millrace.ts"
import { scriptedSite } from "../service/scriptedSite.ts"
import { sampleOf, timesOf } from "../thoroughness.ts"
import { watchedService } from "./watchedService.ts"

const names = Array.from({ length: 12 }, (_, at) => `p${at}`)
const product = (name: string, at: number) => `<html><head><title>${name}</title><script type="application/ld+json">
  {"@type":"Product","name":"Kettle ${name}","sku":"K-${at}","offers":{"@type":"Offer","price":"${at}.50","priceCurrency":"EUR"}}
  </script></head><body><h1>Kettle ${name}</h1></body></html>`

const scope = Scope.makeUnsafe()
const site = await Effect.runPromise(
  Scope.provide(scriptedSite(Object.fromEntries(names.map((name, at) => [`/${name}`, product(name, at)]))), scope)
)
const service = await Effect.runPromise(Scope.provide(watchedService(site.port), scope))
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const random = randomFrom(seed)
const kills = timesOf(1, 2, 8)
const urls = names.map((name) => `http://site.test/${name}`).join(", ")
const rows =
  "schema: { type: array, items: { type: object, required: [sku, name], properties: { sku: { type: string }, name: { type: string }, price: { type: number } } } }"

const subjects = [
  { name: "extract", source: `type: extract, split: 3, urls: [${urls}], ${rows}`, table: "extracted", jobs: 4 },
  {
    name: "agent",
    source: `type: agent, split: 4, prompt: the kettles, strictConstrainToURLs: true, urls: [${urls}], ${rows}`,
    table: "agent_data",
    jobs: 3
  }
]

describe(`runs of jobs that are killed (MILLRACE_SEED=${seed})`, () => {
  for (const subject of sampleOf(subjects, 1, ({ name }) => name)) {
    it(`${subject.name}: each of ${kills} kills leaves what a run leaves that is not, and each job is paid for once`, async () => {
      const once = async (): Promise<boolean> => {
        let isKilled = false
        await inFolder(async (folder) => {
          const lines = [`source: { ${subject.source} }`, `service: { url: "${service.url}" }`, "table: { key: sku }"]
          write(
            folder,
            "jobs.yaml",
            ...lines,
            "limits: { concurrency: 2 }",
            "sinks: { db: { type: duckdb, path: ./out.duckdb } }"
          )
          const before = service.started()
          const child = start(folder, "run", "jobs.yaml")
          let nth = 1 + random(8)
          service.onAnswer = () => {
            if (--nth === 0) setTimeout(() => child.process.kill("SIGKILL"), random(60))
          }
          const killed = await child.ended
          service.onAnswer = () => {}
          // A kill that comes when the run has committed is none.
          if (killed.code === 0 || (await statuses(folder, "jobs.yaml")).at(-1) === "done") return
          isKilled = true

          const { code, stdout } = await millrace(folder, "run", "jobs.yaml")

          expect([killed.code, code]).toEqual([null, 0])
          expect(stdout).toContain("discovered 12 = 12 read + 0 failed + 0 blocked")
          const loaded = await query(
            join(folder, "out.duckdb"),
            `SELECT sku, name, price FROM ${subject.table} ORDER BY price`
          )
          expect(loaded).toEqual(names.map((name, at) => ({ sku: `K-${at}`, name: `Kettle ${name}`, price: at + 0.5 })))
          expect(service.started() - before).toBe(subject.jobs)
        })
        return isKilled
      }
      for (let killed = 0; killed < kills; ) if (await once()) killed += 1
    })
  }
})
