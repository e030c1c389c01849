import { inspect } from "node:util"
import { drawSequence } from "./draw.ts"
import { sqlOf } from "./values.ts"

const some = process.env["KINDS"]?.split(",") as any
const s = drawSequence(Number(process.argv[2]), some)
console.log(
  s.places.map((p) => `${p.name} ${p.write} ${p.closes}`),
  s.isTogether,
  s.table
)
for (const [at, step] of s.steps.entries()) {
  console.log(
    at,
    step.iterates,
    step.types?.map((t) => `${t.name} ${sqlOf(t.type)}`).join(", "),
    step.parts,
    "kill",
    step.killAt,
    step.isAgain,
    step.once
  )
  for (const r of step.rows) console.log("   ", inspect(Object.fromEntries(r), { breakLength: 200 }))
}
