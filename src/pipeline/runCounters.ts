/**
 * What databases keep of every run in columns of `_millrace_runs`: the column, and the fact of the run that it holds. The
 * column `facts` has every fact.
 */
export const runCounters: ReadonlyArray<{ readonly name: string; readonly fact: string }> = [
  { name: "credits", fact: "credits" },
  { name: "discovered", fact: "discovered" },
  { name: "loaded", fact: "loaded" },
  { name: "rejected", fact: "rejected" },
  { name: "dropped", fact: "dropped" },
  { name: "failed", fact: "failed" },
  { name: "blocked", fact: "blocked" },
  // "left" is a word of SQL.
  { name: "left_over", fact: "left" }
]
