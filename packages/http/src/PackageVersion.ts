import { readFileSync } from 'node:fs'

/**
 * Returns the version in the `package.json` one folder above the module's folder, which is `src` or `dist`.
 *
 * @example
 * ```ts
 * import { PackageVersion } from '@firn/http'
 *
 * const VERSION = PackageVersion.read(import.meta.url) // such as '0.2.0'
 * ```
 */
export function read(moduleUrl: string): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
