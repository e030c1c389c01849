/** The little of parquetjs-lite that tests read with; it brings no types. */
declare module "parquetjs-lite" {
  interface Reader {
    getCursor(): { next(): Promise<Record<string, unknown> | null> }
    close(): Promise<void>
  }
  const module: { readonly ParquetReader: { openFile(path: string): Promise<Reader> } }
  export default module
}
