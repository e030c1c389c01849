/**
 * The planner: for a table, a write disposition and a dialect, the steps of a commit. It is the one place that says what a
 * disposition means in SQL.
 *
 *     const planner = TablePlanner.of(dialect, staged)
 *     planner.duplicates(parent)   // drops staged rows whose key was staged again
 *     planner.merge(parent)        // compare, update, insert; children by their parent
 *     planner.history(visit)       // close, insert
 *
 * Guarantee: it asks nothing and runs nothing. What it must know of the database is in `StagedTable`.
 */
