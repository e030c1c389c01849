import { existsSync } from "node:fs"
import { execFileSync } from "node:child_process"
import * as Engine from "./gov/Engine.ts"
import { headings } from "./gov/headings.ts"
import { jurisdictions } from "./gov/jurisdictions.ts"
import { ours } from "./gov/Ours.ts"
import { questions } from "./gov/questions.ts"
import { references } from "./gov/references.ts"
import * as Texts from "./gov/Texts.ts"
import { versions } from "./gov/versions.ts"
const path = "/work/shared/data/gov"
const settings = JSON.parse(process.env.SETTINGS ?? "{}")
const dbs = { whole: "/tmp/w/tune-whole.sqlite", bodies: "/tmp/w/tune-bodies.sqlite", headless: "/tmp/w/tune-headless.sqlite" }
for (const [variant, file] of Object.entries(dbs))
  if (!existsSync(file)) execFileSync(process.execPath, ["bench/gov/load.ts", "ours", path, file, variant, JSON.stringify(settings)])
const texts = await Texts.read(path, settings)
const most = Number(process.env.MOST ?? 150)
const how = { seed: Number(process.env.SEED ?? 7), most }
const rows = []
const only = process.env.ONLY ?? "bcf"
const run = async (variant: keyof typeof dbs, f: (e: Engine.Timed[]) => Promise<any>) => {
  const e = Engine.timed(await ours.open(dbs[variant]))
  rows.push(...(await f([e])))
  await e.close()
  return e.times
}
const times: number[] = []
const ps = process.argv.slice(2)
for (const p of ps.length === 0 ? ["{}"] : ps) {
  ;(globalThis as any).P = JSON.parse(p)
  rows.length = 0
  if (only.includes("b")) times.push(...(await run("bodies", (e) => headings(texts, e, { ...how, name: "own", isHarder: false }))))
  if (only.includes("h")) times.push(...(await run("headless", (e) => headings(texts, e, { ...how, name: "none", isHarder: true }))))
  if (only.includes("c")) times.push(...(await run("whole", (e) => references(texts, e, how))))
  if (only.includes("d")) times.push(...(await run("whole", (e) => versions(texts, e, how))))
  if (only.includes("e")) times.push(...(await run("whole", (e) => jurisdictions(texts, e, how))))
  if (only.includes("f")) times.push(...(await run("whole", (e) => questions(texts, e))))
  console.log(p)
  for (const { name, figures, trials } of rows as any[]) {
    const { first, mrr, within, misses } = figures.ours
    console.log(`   ${mrr.toFixed(3)} first ${(100 * first).toFixed(1)} ten ${(100 * within).toFixed(1)} ${name} (${trials})`)
    if (process.env.MISSES) for (const m of misses) console.log(`       ${m.query} | wants ${m.wanted} | gives ${m.first}`)
  }
  console.log("   ms", Engine.quantile(times, 0.5).toFixed(1), Engine.quantile(times, 0.99).toFixed(1))
}
