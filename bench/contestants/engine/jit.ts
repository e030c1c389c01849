/** As the command line begins: schemas are compiled. It must be loaded before any schema is used. */
import "effect/schema/SchemaJITCompiler/enable"
