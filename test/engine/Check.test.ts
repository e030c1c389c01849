import { expect, it } from "vitest"
import * as Check from "#engine/Check"

it("a check is said in words, as a person would say what must be true", () => {
  const said = (check: Check.Check) => Check.inWords(check)

  expect(said({ rows: { min: 100, drop: "20%" } })).toBe("rows: at least 100 and at most 20% fewer than last time")
  expect(said({ rows: { min: 1000, max: 20_000, drop: "0%" } })).toBe(
    "rows: at least 1,000, at most 20,000 and no fewer than last time"
  )
  expect(said({ rows: { min: 4, max: 4 } })).toBe("rows: exactly 4")
  expect(said({ rows: {} })).toBe("rows: any number")
  expect(said({ table: "links", not_null: ["url", "title"] })).toBe("url, title: a value in every row")
  expect(said({ unique: "url" })).toBe("url: no two rows with the same value")
  expect(said({ unique: ["page", "n"] })).toBe("page, n: no two rows with the same values")
  expect(said({ accepted: { language: ["en", "de", "fr"] } })).toBe("language: only en, de or fr")
  expect(said({ accepted: { n: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } })).toBe(
    "n: only 1, 2, 3, 4, 5, 6, 7 or 3 other values"
  )
  expect(said({ freshness: { column: "seen_at", max: "24h" } })).toBe("seen_at: the newest at most 24 hours old")
  expect(said({ freshness: { column: "seen_at", max: "1 day" } })).toBe("seen_at: the newest at most 1 day old")
  expect(said({ ok_status: "98%" })).toBe("pages: at least 98% with a status of 200 to 399")
  expect(said({ changed: { min: "1%", max: "30%" } })).toBe("changed rows: at least 1% and at most 30%")
  expect(said({ whole: "10%" })).toBe("whole: at most 10% may be missing")
  expect(said({ whole: "off" })).toBe("whole: any share may be missing")
  expect(said({ required: "95%" })).toBe("required values: at least 95% found")
  expect(said({ sql: "SELECT 1 FROM pages WHERE price < 0" })).toBe("no row of: SELECT 1 FROM pages WHERE price < 0")
})
