/**
 * The e-mail of a check: the changed pages, with their diffs if the monitor includes them.
 */

import type { Letter } from "#base/Mail"
import type { MonitorPage } from "#contract/MonitorCheck"
import type { Check } from "./Monitor.ts"

/** The maximum number of pages in one e-mail, and of characters of each diff. */
const maxPages = 50
const maxOfDiff = 4000

export const letterOf = (name: string, check: Check, pages: ReadonlyArray<MonitorPage>): Letter => {
  const { definition, id } = check
  const counts = (["changed", "new", "removed", "error"] as const).flatMap((status) => {
    const count = pages.filter((page) => page.status === status).length
    return count === 0 ? [] : [`${count} ${status === "error" ? "not readable" : status}`]
  })
  const withDiffs = definition.notification?.email?.includeDiffs === true
  const shown = pages.slice(0, maxPages).map((page) => entry(page, withDiffs))
  const more = pages.length > maxPages ? [`and ${pages.length - maxPages} more pages`] : []
  const goal = definition.goal === null ? [] : [`Goal: ${definition.goal}`]
  return {
    id,
    to: definition.notification?.email?.recipients ?? [],
    subject: `${name}: ${counts.join(", ")}`,
    text: [`${name}: ${counts.join(", ")}`, ...goal, ...shown, ...more, `Monitor ${check.monitorId}, check ${id}`].join(
      "\n\n"
    )
  }
}

const entry = ({ diff, error, judgment, status, url }: MonitorPage, withDiff: boolean): string => {
  const why = judgment === null ? [] : [judgment.reason]
  const text = diff?.text ?? (diff?.json === undefined ? undefined : JSON.stringify(diff.json, undefined, 2))
  const change = withDiff && text !== undefined ? [text.slice(0, maxOfDiff)] : []
  return [`${status}: ${url}`, ...(error === null ? [] : [error]), ...why, ...change].join("\n")
}
