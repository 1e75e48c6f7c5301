import { PackageVersion } from '@firn/http'
import type { Tracing } from '@firn/tracing'

const VERSION = PackageVersion.read(import.meta.url)

/** Returns the name of a command and its version, for traces. */
export const programOf = (command: string): Tracing.Program => ({ name: `firn-${command}`, version: VERSION })
