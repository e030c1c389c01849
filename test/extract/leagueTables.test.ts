import { describe, expect, it } from "vitest"
import { byRules } from "#extract/byRules"

const page = (lang: string, head: string, rows: ReadonlyArray<string>) => {
  const cells = (row: string, name: string) =>
    row
      .split(" ")
      .map((cell) => `<${name}>${cell}</${name}>`)
      .join("")
  return `<html lang="${lang}"><title>Table</title><h1>Table</h1><table><thead><tr>${cells(head, "th")}</tr></thead>
    <tbody>${rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("")}</tbody></table></html>`
}
const standings = (html: string, ...names: ReadonlyArray<string>) => {
  const integer = { type: "integer" }
  const properties = Object.fromEntries(names.map((name) => [name, name === "team" ? { type: "string" } : integer]))
  const schema = { properties: { standings: { type: "array", items: { type: "object", properties } } } }
  return byRules({ url: "http://league.test/table", html, metadata: {} }, { schema, prompt: undefined }).data
}

describe("letters above the columns of a league table", () => {
  it("are read as what they mean where wins, draws and losses stand together", () => {
    const html = page("en", "Pos Team P W D L GF GA GD Pts", [
      "1 Rovers 12 9 2 1 28 9 +19 29",
      "2 United 12 8 1 3 22 14 +8 25",
      "3 City 12 5 3 4 17 18 -1 18"
    ])
    const names = ["position", "team", "played", "won", "drawn", "lost", "goals_for", "goal_difference", "points"]
    expect(standings(html, ...names)).toEqual({
      standings: [
        {
          position: 1,
          team: "Rovers",
          played: 12,
          won: 9,
          drawn: 2,
          lost: 1,
          goals_for: 28,
          goal_difference: 19,
          points: 29
        },
        {
          position: 2,
          team: "United",
          played: 12,
          won: 8,
          drawn: 1,
          lost: 3,
          goals_for: 22,
          goal_difference: 8,
          points: 25
        },
        {
          position: 3,
          team: "City",
          played: 12,
          won: 5,
          drawn: 3,
          lost: 4,
          goals_for: 17,
          goal_difference: -1,
          points: 18
        }
      ]
    })
  })

  it.each([
    ["de", "Platz Verein Sp S U N Diff Pkt"],
    ["fr", "Rang Club J G N P Diff Pts"],
    ["es", "Pos Equipo PJ PG PE PP DG Pts"],
    ["it", "Pos Squadra G V N P DR Pt"],
    ["pt", "Pos Clube J V E D SG P"],
    ["ru", "Место Команда И В Н П РМ О"],
    ["ja", "順位 チーム 試合 勝 分 負 得失 勝点"]
  ])("are read in the letters of %s", (lang, head) => {
    const html = page(lang, head, ["1 Uno 10 7 2 1 12 23", "2 Due 10 5 1 4 3 16", "3 Tre 10 2 3 5 -6 9"])
    expect(standings(html, "team", "played", "won", "drawn", "lost", "goal_difference", "points")).toEqual({
      standings: [
        { team: "Uno", played: 10, won: 7, drawn: 2, lost: 1, goal_difference: 12, points: 23 },
        { team: "Due", played: 10, won: 5, drawn: 1, lost: 4, goal_difference: 3, points: 16 },
        { team: "Tre", played: 10, won: 2, drawn: 3, lost: 5, goal_difference: -6, points: 9 }
      ]
    })
  })

  it("are letters in any other table", () => {
    const html = page("en", "Part W D L P", ["Shelf 80 30 190 4", "Desk 120 60 75 2", "Bench 140 40 45 3"])
    expect(standings(html, "won", "lost", "drawn", "played")).toEqual({ standings: null })
  })
})
