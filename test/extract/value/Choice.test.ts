import { describe, expect, it } from "vitest"
import * as Choice from "#extract/value/Choice"

describe("Choice", () => {
  it.each([
    ["https://schema.org/InStock", ["in_stock", "sold_out"], "in_stock"],
    ["In stock", ["InStock", "OutOfStock"], "InStock"],
    ["Ausverkauft", ["InStock", "OutOfStock"], "OutOfStock"],
    ["Full Time", ["full_time", "part_time"], "full_time"],
    ["Vollzeit", ["FULL_TIME", "PART_TIME"], "FULL_TIME"],
    ["full time, permanent", ["full time", "part time"], "full time"],
    ["full time or part time", ["full time", "part time"], undefined],
    ["2", [1, 2, null], 2],
    ["other", ["full_time"], undefined],
    ["", ["a"], undefined]
  ])("%s of %j is %s", (text, choices, chosen) => {
    expect(Choice.choose(text, choices)).toBe(chosen)
  })

  it.each([
    ["Yes", true],
    ["in stock", true],
    ["https://schema.org/SoldOut", false],
    ["on order", false],
    ["nein", false],
    ["perhaps", undefined]
  ])("%s is %s", (text, truth) => {
    expect(Choice.truth(text)).toBe(truth)
  })

  it.each([
    [true, ["Tak", "Да", "Evet", "نعم", "हाँ", "มี", "あり", "Có", "Kyllä"]],
    [false, ["Nie", "Нет", "Hayır", "لا", "नहीं", "ไม่มี", "なし", "Không", "Ei", "Wyprzedane", "売り切れ"]]
  ])("is %s in other languages: %j", (truth, texts) => {
    expect(texts.map(Choice.truth)).toEqual(texts.map(() => truth))
  })
})
