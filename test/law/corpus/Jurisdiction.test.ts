import { describe, expect, it } from "vitest"
import * as Jurisdiction from "#law/corpus/Jurisdiction"

describe("a jurisdiction", () => {
  it.each([
    ["United States", "United States", "federal", "us"],
    ["D.C.", "District of Columbia", "state", "us-dc"],
    ["State of Utah", "Utah", "state", "us-ut"],
    ["City of San Mateo, Cal.", "San Mateo, California", "local", "us-ca/san-mateo"],
    ["San Mateo, California", "San Mateo, California", "local", "us-ca/san-mateo"],
    ["Spanish Fork City, UT", "Spanish Fork, Utah", "local", "us-ut/spanish-fork"],
    ["Oak County, N.Y.", "Oak County, New York", "local", "us-ny/oak-county"],
    ["Spanish Fork City", "Spanish Fork", "local", "us/local/spanish-fork"],
    ["Salt Lake City, Utah", "Salt Lake City, Utah", "local", "us-ut/salt-lake-city"],
    ["Cañon City, Colo.", "Cañon City, Colorado", "local", "us-co/canon-city"]
  ])("written %s is %s", (written, name, level, root) => {
    expect(Jurisdiction.parse(written)).toEqual({ name, level, root })
  })

  it("does not guess a state that it does not know", () => {
    expect(Jurisdiction.parse("Paris, France").root).toBe("us/local/paris-france")
  })
})
