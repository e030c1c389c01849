/**
 * What an uploaded file is: by its name, which says more than the type that clients send along. Bytes still win.
 */
export const uploadedType = (name: string, contentType: string): string | undefined => {
  const known = types.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "")
  if (known !== undefined) return known
  return contentType === "" || contentType === "application/octet-stream" ? undefined : contentType
}

const types = new Map([
  ["html", "text/html"],
  ["htm", "text/html"],
  ["xhtml", "application/xhtml+xml"],
  ["xml", "application/xml"],
  ["txt", "text/plain"],
  ["md", "text/markdown"],
  ["markdown", "text/markdown"],
  ["csv", "text/csv"],
  ["json", "application/json"],
  ["pdf", "application/pdf"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"]
])
