import { expect, it } from "vitest"
import { cutStatements, hasSql } from "#see/sql/statements"

it("statements end at semicolons, and not at those in texts, names and comments", () => {
  const text = `SELECT 'a;''b' AS "c;d" -- e;
    , $$f;g$$, $x$ $$;$x$ /* h; */; ; SELECT 2;rest of `
  expect(cutStatements(text)).toEqual({
    statements: [`SELECT 'a;''b' AS "c;d" -- e;\n    , $$f;g$$, $x$ $$;$x$ /* h; */`, "SELECT 2"],
    rest: "rest of "
  })
})

it("what has not ended holds its semicolons until it has", () => {
  for (const open of ["SELECT 'a;", 'SELECT "a;', "SELECT $$a;", "/* a;"]) {
    expect(cutStatements(open)).toEqual({ statements: [], rest: open })
  }
})

it("comments say nothing", () => {
  expect([hasSql(" -- a\n/* b */ "), hasSql("-- a\n1")]).toEqual([false, true])
})
