/** The section of a report about what was asked of pages: what was found, why the rest is null, and what was considered and left. */

import * as Sheet from "../Sheet.ts"
import { count } from "../summary.ts"
import { link, number, type Section, table, text } from "./html.ts"
import type { Asked, ReportModel } from "./ReportModel.ts"
import { counted } from "./reportAnswers.ts"

/** Undefined: the source has no jobs with sheets. */
export const askedSection = ({ asked }: ReportModel): Section | undefined => {
  if (asked === null) return undefined
  const { jobs, jobs_again: again, lacking, lacking_jobs: all, sheet } = asked
  const found = sheet.fields.reduce((sum, field) => sum + field.found, 0)
  const missing = sheet.fields.reduce((sum, field) => sum + Sheet.lackingOf(field), 0)
  const rest = all > lacking.length ? ` These are the ${count(lacking.length)} that lack most of ${count(all)}.` : ""
  return {
    id: "asked",
    title: "What was asked of the pages",
    says: `${counted(sheet.fields.length, "field")}, ${counted(found, "value")} found, ${count(missing)} not`,
    html: `<p>The sums of ${counted(jobs, "job")}.${againOf(again)}${unreadOf(sheet)}</p>
${sheetTable("Fields of all jobs", sheet.fields)}
${lacking.length === 0 ? "" : `<h4>Pages that lack values</h4>\n<p>A job is named by the first of its pages.${rest}</p>\n${lacking.map(pageHtml).join("\n")}`}`
  }
}

const againOf = (again: number): string => {
  if (again === 0) return ""
  return ` ${counted(again, "job")} that asked again for missing values ${again === 1 ? "is" : "are"} not in them.`
}

const unreadOf = ({ pages_gone: gone, pages_not_read: notRead }: Sheet.Sheet): string => {
  const parts = [
    ...(notRead === 0 ? [] : [`${counted(notRead, "page")} not read: what they say is not known`]),
    ...(gone === 0 ? [] : [`${counted(gone, "link")} gone`])
  ]
  return parts.length === 0 ? "" : ` ${parts.join("; ")}.`
}

/** Of a page only the fields that lack values are shown. */
const pageHtml = ({ page, sheet }: Asked["lacking"][number]): string => {
  const fields = sheet.fields.filter((field) => Sheet.lackingOf(field) > 0)
  const names = fields.map(({ field }) => field)
  return `<details><summary>${text(page)}: ${text([...names.slice(0, mostNames), ...(names.length > mostNames ? ["..."] : [])].join(", "))}</summary>
<p>${link(page)}${unreadOf(sheet)}</p>
${fields.length === 0 ? "" : sheetTable(`What ${page} lacks`, fields)}</details>`
}

const mostNames = 5

const sheetTable = (caption: string, fields: ReadonlyArray<Sheet.Field>): string =>
  table(
    caption,
    Sheet.heads.map((name, at) => (at > 0 && at < Sheet.heads.length - 1 ? { number: name } : name)),
    fields.map((field) => ({
      cells: Sheet.rowOf(field).map((cell, at) =>
        typeof cell === "number"
          ? number(count(cell))
          : { html: text(cell), kind: at === 0 ? ("name" as const) : ("text" as const) }
      )
    }))
  )
