/** That all conditions hold. A chain of many hundred is a tree that is too deep for some databases, so it is bracketed. */
export const allOf = (conditions: ReadonlyArray<string>): string => {
  if (conditions.length === 0) return "TRUE"
  if (conditions.length <= most) return `(${conditions.join(" AND ")})`
  const groups: Array<string> = []
  for (let at = 0; at < conditions.length; at += most) groups.push(allOf(conditions.slice(at, at + most)))
  return allOf(groups)
}

const most = 100
