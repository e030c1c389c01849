/**
 * The abilities that a sink may declare as missing. The suite skips the laws that need them, and `millrace plan` lists
 * them. A sink that declares none keeps all laws.
 */

/** What it means for the user that a sink lacks an ability. */
const withoutIt = {
  exactlyOnce:
    "rows arrive at least once: those of a commit come a second time if the process dies right after it, with the same run id",
  columns: "it keeps no columns, so `contract` must be evolve",
  names:
    "it does not remember whose a column is: names that lead to one column name may get other columns in a run that lacks some of them",
  again: "it cannot write a run a second time, so `millrace replay` is refused",
  read: "its rows cannot be read back: `millrace why`, `diff` and `report` do not show them",
  details: "it keeps no checks and no profiles of its runs",
  shared: "several pipelines cannot share its tables"
} as const

/**
 * An ability that a sink may lack: "exactlyOnce", "columns", "names", "again", "read", "details" or "shared". `millrace plan`
 * lists those that it lacks.
 */
export type SinkAbility = keyof typeof withoutIt

/** What it means for the user that a sink lacks this ability. */
export const lackInWords = (ability: SinkAbility): string => withoutIt[ability]
