// Copied by `npm run docs` from docs/reference/api/Interval.md. Do not edit.
import { Interval } from "../../../src/index.ts"

{
  console.log(Interval.parseEvery("1d"), Interval.parseEvery("1 month")) // { millis: 86400000 } { months: 1 }
}
{
  console.log(Interval.parseMoment("2026-01-01")) // 1767225600000
}
{
  const days = Interval.split(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 8), { millis: 86_400_000 })
  console.log(days?.length) // 7
}
