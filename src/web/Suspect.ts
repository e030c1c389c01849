/**
 * Whether the page that is read here was already being read when a process ended.
 *
 * Such a page may have ended that process, so all code that reads pages checks this first: a suspect is read in
 * quarantine (`src/extract/quarantine`), in a process where it harms nothing else. If it returns from there, it is
 * innocent.
 */
import * as Context from "effect/Context"

export const Suspect = Context.Reference<boolean>("millrace/Suspect", { defaultValue: () => false })
