import { expect, test } from "vitest"
import { classicOf, classicRoots } from "#extract/read/declared/Microformats"

test("each root of the first microformats has classes, and each class a prefix and a name", () => {
  for (const type of classicRoots.values()) {
    const classes = [...(classicOf.get(type)?.classes.values() ?? [])]
    expect(classes.length).toBeGreaterThan(0)
    expect(classes.filter((meaning) => !/^(?:p|u|dt|e)-[a-z-]+$/.test(meaning))).toEqual([])
  }
})

test("a class means what the second ones say", () => {
  const card = classicOf.get("card")?.classes

  expect(["fn", "url", "bday", "title"].map((name) => card?.get(name))).toEqual([
    "p-name",
    "u-url",
    "dt-bday",
    "p-job-title"
  ])
})
