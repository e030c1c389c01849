// The same fast schema compiler that the command line runs with, so that tests prove what users run.
import "effect/schema/SchemaJITCompiler/enable"
