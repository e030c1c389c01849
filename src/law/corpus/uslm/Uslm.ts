/** United States Legislative Markup: which kind of text a file is, by its root. */
import type { Place, Reader } from "../Reader.ts"
import * as Cfr from "./Cfr.ts"
import * as Compilation from "./Compilation.ts"
import * as FederalRegister from "./FederalRegister.ts"
import * as Measure from "./Measure.ts"
import * as UsCode from "./UsCode.ts"

export const make = (place: Place): Reader => {
  let reader: Reader | undefined
  return {
    open: (element, within) => {
      if (within.length > 0) return reader?.open(element, within) ?? "skip"
      reader = kinds[element.name.replace(/^.*:/, "")]?.(place)
      if (reader !== undefined) return reader.open(element, within)
      place.say({
        _tag: "Skipped",
        file: place.file,
        line: element.line,
        why: `USLM that is not read: <${element.name}>`
      })
      return "skip"
    },
    took: (element, within) => reader?.took(element, within),
    close: (element, within) => reader?.close(element, within),
    end: () => reader?.end()
  }
}

const kinds: Readonly<Record<string, ((place: Place) => Reader) | undefined>> = {
  uscDoc: UsCode.make,
  cfrDoc: Cfr.make,
  frDoc: FederalRegister.make,
  statuteCompilation: Compilation.make,
  bill: Measure.make,
  resolution: Measure.make
}
