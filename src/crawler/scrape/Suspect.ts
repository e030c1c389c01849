/**
 * Whether the page that is read here was being read before, when a process ended.
 *
 * Such a page may have ended that process, so everything that reads pages asks this first: the bytes of a suspect are read in
 * quarantine (`src/extract/quarantine`), where it can end nobody else. A page is innocent if it comes back from there.
 */
import * as Context from "effect/Context"

export const Suspect = Context.Reference<boolean>("millrace/Suspect", { defaultValue: () => false })
