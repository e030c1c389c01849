import { describe, expect, it } from "vitest"
import * as Settings from "#law/CorpusSettings"

describe("the settings of a file", () => {
  const options: Settings.Options = {
    issuer: "City",
    folders: {
      "law/": { jurisdiction: "Oakville, Utah", baseUrl: "https://law.example" },
      "./law/old": { issuer: "Archive" },
      la: { issuer: "Other" }
    }
  }

  it("are those of the corpus and of its folders, the nearest last", () => {
    expect(Settings.of(options, "law/old/a.xml").settings).toEqual({
      issuer: "Archive",
      jurisdiction: "Oakville, Utah",
      baseUrl: "https://law.example"
    })
    expect(Settings.of(options, "a.xml").settings).toEqual({ issuer: "City" })
    expect(Settings.of(options, "lawless/a.xml").settings).toEqual({ issuer: "City" })
  })

  it("say where the file stands in the folder that is published", () => {
    expect(Settings.of(options, "law/old/a.xml").beneath).toBe("old/a.xml")
    expect(Settings.of(options, "b/a.xml").beneath).toBe("b/a.xml")
  })
})
