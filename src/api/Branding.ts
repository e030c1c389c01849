/** The branding of a page: names, colors, fonts, images (the format `branding`). A field that the page does not declare is absent. */
import * as Schema from "effect/Schema"

const texts = Schema.Record(Schema.String, Schema.String)
const button = Schema.optionalKey(texts)

export const Branding = Schema.Struct({
  colorScheme: Schema.optionalKey(Schema.Literals(["light", "dark"])),
  brandName: Schema.optionalKey(Schema.String),
  logo: Schema.optionalKey(Schema.String),
  /** Colors as the style sheets write them: background, textPrimary, link, and those that the page names, such as primary. */
  colors: Schema.optionalKey(texts),
  fonts: Schema.optionalKey(Schema.Array(Schema.Struct({ family: Schema.String }))),
  typography: Schema.optionalKey(
    Schema.Struct({
      fontFamilies: Schema.optionalKey(texts),
      fontStacks: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
      fontSizes: Schema.optionalKey(texts)
    })
  ),
  components: Schema.optionalKey(Schema.Struct({ buttonPrimary: button, buttonSecondary: button })),
  images: Schema.optionalKey(texts)
}).annotate({ identifier: "Branding" })
export type Branding = typeof Branding.Type
