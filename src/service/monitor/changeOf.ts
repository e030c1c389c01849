/**
 * The change in a finding, place by place, for the judgment.
 *
 * A place is one field, or the removed and added lines between two lines that stay. If there is no diff because too much has
 * changed, there is one place: the lines that only one of the two texts has.
 */
import * as Predicate from "effect/Predicate"
import * as Meaning from "#base/Meaning"
import type * as Found from "./Finding.ts"
import type { Change, Place } from "./judgeByRules.ts"
import * as KnownPage from "./KnownPage.ts"
import type { Finding, State } from "./Monitor.ts"

/** Makes the change. `before` is the earlier state of the page; `page` is the page now, if it answered. */
export const changeOf = (
  { diff, status, url }: Pick<Finding, "diff" | "url"> & { readonly status: Change["status"] },
  before: State | undefined,
  page: Found.Page | undefined
): Change => {
  const previous = before === undefined ? undefined : KnownPage.inState(before)
  const base = { status, url, title: page?.document.metadata.title ?? previous?.title ?? "" }
  const old = () => linesOf(previous?.markdown)
  const now = () => linesOf(page?.document.markdown)
  if (status === "new") return { ...base, places: [{ added: now().slice(0, maxLines), removed: [] }] }
  if (status === "removed") return { ...base, places: [{ added: [], removed: old().slice(0, maxLines) }] }
  const fields = fieldsOf(diff?.json ?? {})
  if (diff?.text !== undefined) return { ...base, places: [...fields, ...placesOf(diff.text)] }
  if (fields.length > 0) return { ...base, places: fields }
  const only = (lines: ReadonlyArray<string>, others: ReadonlyArray<string>) => {
    const known = new Set(others)
    return lines.filter((line) => !known.has(line)).slice(0, maxLines)
  }
  const [were, are] = [old(), now()]
  return { ...base, places: [{ added: only(are, were), removed: only(were, are) }] }
}

/** The maximum number of lines of each side, if there is no diff. */
const maxLines = 200

const linesOf = (markdown = ""): ReadonlyArray<string> => Meaning.lines(markdown).map(({ text }) => text)

const fieldsOf = (json: object): ReadonlyArray<Place> =>
  Object.entries(json).flatMap(([name, change]) =>
    Predicate.hasProperty(change, "previous")
      ? [
          {
            removed: [`${name}: ${JSON.stringify(change.previous)}`],
            added: [`${name}: ${JSON.stringify(Reflect.get(change, "current"))}`]
          }
        ]
      : []
  )

/** The places of a unified diff. Its first two lines are the header. */
const placesOf = (diff: string): ReadonlyArray<Place> => {
  const places: Array<{ added: Array<string>; removed: Array<string> }> = []
  let isOpen = false
  for (const line of diff.split("\n").slice(2)) {
    const sign = line.charAt(0)
    if (sign !== "+" && sign !== "-") {
      isOpen = false
      continue
    }
    if (!isOpen) places.push({ added: [], removed: [] })
    isOpen = true
    places.at(-1)?.[sign === "+" ? "added" : "removed"].push(line.slice(1))
  }
  return places
}
