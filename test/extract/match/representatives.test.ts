import { expect, it } from "vitest"
import { representatives } from "#extract/match/CandidateValue"
import { thing } from "../offered.ts"

it("a part is represented by its name and its address, a value by its value", () => {
  const of = (named: Parameters<typeof thing>[0]) =>
    representatives(thing(named)).map(({ name, value }) => [name, value.data])

  expect(of({ "@type": "Brand", url: "/lumo", name: "Lumo" })).toEqual([
    ["name", "Lumo"],
    ["url", "/lumo"]
  ])
  expect(of({ "@type": "PropertyValue", name: "Weight", value: "5 kg" })).toEqual([["value", "5 kg"]])
  expect(of({ "@type": "Thing" })).toEqual([])
})
