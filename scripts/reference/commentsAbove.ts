/**
 * What the comments of a source file say of the names below them: `/** Why it ended. *\/` above `ended:` is of `ended`. So
 * the reference repeats no sentence that stands in the code. Their examples are left out.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const commentsAbove = (file: string): ReadonlyMap<string, string> => {
  const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8")
  const found = text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export )?(?:class |const )?(\w+)/g)
  return new Map(Array.from(found, ([, comment = "", name = ""]) => [name, plain(comment)]))
}

const plain = (comment: string): string =>
  comment
    .replace(/@example[\s\S]*/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .join(" ")
    .trim()
