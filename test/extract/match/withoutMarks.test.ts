import { expect, it } from "vitest"
import { withoutMarks } from "#extract/match/Concepts"

it("letters lose their marks, also those that are a part of them", () => {
  expect(["Ngày đăng", "Głębokość", "Højde", "ağırlık", "Größe", "τιμή"].map(withoutMarks)).toEqual([
    "Ngay dang",
    "Glebokosc",
    "Hojde",
    "agirlik",
    "Grosse",
    "τιμη"
  ])
})
