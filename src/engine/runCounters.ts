/**
 * The facts of a run that have columns of their own in `_millrace_runs`: the column, and the fact that it holds. The column
 * `facts` has every fact.
 */
export const runCounters: ReadonlyArray<{ readonly name: string; readonly fact: string }> = [
  { name: "credits", fact: "credits" },
  { name: "discovered", fact: "discovered" },
  { name: "loaded", fact: "loaded" },
  { name: "rejected", fact: "rejected" },
  { name: "dropped", fact: "dropped" },
  { name: "failed", fact: "failed" },
  { name: "blocked", fact: "blocked" },
  // "left" is a keyword of SQL.
  { name: "left_over", fact: "left" }
]
