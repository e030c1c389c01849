import { describe, expect, test } from "vitest"
import * as AliasParameters from "#contract/AliasParameters"

describe("a parameter", () => {
  test.each([
    ["PHPSESSID", "a1"],
    ["utm_source", "x"],
    ["UTM_Campaign", ""],
    ["gclid", "1"],
    ["fbclid", "1"],
    ["sid", "0f9a8b7c6d5e4f3a"],
    ["jsessionid", "1F"]
  ])("%s=%s names no page", (name, value) => {
    expect(AliasParameters.isAlias(name, value)).toBe(true)
  })

  test.each([
    ["id", "1"],
    ["sid", "42"],
    ["session", "morning"],
    ["utm", "x"],
    ["page", "2"]
  ])("%s=%s names one", (name, value) => {
    expect(AliasParameters.isAlias(name, value)).toBe(false)
  })
})
