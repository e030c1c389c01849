import { probe, stop } from "./probe.ts"

await probe(["append", "replace", "merge", "scd2"], [[{ id: 1, constructor: "a" }], [{ id: 2 }]])
console.log("nested")
await probe(
  ["append"],
  [
    [
      { id: 1, s: { a: 1, constructor: "a" } },
      { id: 2, s: { a: 2 } }
    ],
    [{ id: 3, s: { a: 3 } }]
  ]
)
await stop()
