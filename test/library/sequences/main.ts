import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { drawSequence, isLegal } from "./draw.ts"
import { disconnect, kinds } from "./places.ts"
import { play } from "./play.ts"

const [from, to] = [Number(process.argv[2]), Number(process.argv[3])]

import { ownServer } from "../../services/ownServer.ts"

const server = process.env["PG"] ? await ownServer("postgres.sh", "POSTGRES") : undefined
const pg = server?.url
const some = (process.env["KINDS"]?.split(",") as any) ?? kinds.filter((k) => k !== "postgres" || pg !== undefined)
let bad = 0
const began = performance.now()
for (let seed = from; seed < to; seed++) {
  const sequence = drawSequence(seed, some)
  if (!isLegal(sequence)) {
    console.log(seed, "illegal")
    continue
  }
  if (seed % 25 === 0) console.log("at", seed, "bad", bad, Math.round((performance.now() - began) / (seed - from || 1)))
  const folder = mkdtempSync("/dev/shm/millrace-seq-")
  try {
    const d = await play(sequence, { folder, postgres: pg, schema: `s${randomUUID().slice(0, 8)}` })
    if (d) {
      bad++
      console.log(seed, sequence.table.contract, sequence.isTogether, d)
    }
  } catch (e) {
    bad++
    console.log(seed, "THROWN", e)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log("bad", bad, "ms each", (performance.now() - began) / (to - from))
await disconnect()
await server?.stop()
process.exit(0)
