/**
 * The formats that are read, as a list. To add one, add it here and in `sniff.ts`.
 */
import * as Html from "../html/Html.ts"
import * as OpenLaw from "../openLaw/OpenLaw.ts"
import type { Around } from "../openLaw/Surroundings.ts"
import type { Place, Reader } from "../Reader.ts"
import * as RegMl from "../regml/RegMl.ts"
import type { Format } from "../sniff.ts"
import * as Uslm from "../uslm/Uslm.ts"

export const readerOf = (format: Format, place: Place, around: Around): Reader => {
  switch (format) {
    case "open-law":
      return OpenLaw.make(place, around)
    case "uslm":
      return Uslm.make(place)
    case "regml":
      return RegMl.make(place)
    case "html":
      return Html.make(place, around)
  }
}
