/**
 * Whether a page is the listing of pages that stand below its address: /jobs of /jobs/1 and /jobs/2. Such a page is not
 * one of the things that it lists, unless it plainly says so.
 */
import type { Group } from "../Candidates.ts"

export const listsBelow = (groups: ReadonlyArray<Group>, page: string): boolean => {
  const start = folderOf(page)
  return (
    start !== undefined &&
    groups.some(({ things }) => {
      const below = things.flatMap(({ properties }) =>
        properties.flatMap(({ name, value }) => {
          const address = name === "url" && value._tag === "Value" ? plain(String(value.data)) : ""
          return address.startsWith(start) && address.length > start.length ? [address] : []
        })
      )
      return new Set(below).size > 1
    })
  )
}

const plain = (address: string): string => address.replace(/[?#].*$/, "")

/** "/jobs", "/jobs/", "/jobs.html" and "/jobs/index.php" are all the listing of "/jobs/1". */
const folderOf = (page: string): string | undefined => {
  const url = URL.parse(page)
  if (url === null) return undefined
  const path = url.pathname.replace(/\/(?:index|default)\.\w{2,5}$/, "/").replace(/\.\w{2,5}$/, "")
  return `${url.origin}${path.replace(/\/$/, "")}/`
}
