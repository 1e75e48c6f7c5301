import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Creates a temporary folder. Returns its path and a function that removes it. */
export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'firn-indexer-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Writes the archive of a recorded network into a folder: containers, genesis and upgrades. For tests only.
 */
export function unpack(name: 'local' | 'helicon', folder: string): void {
  const file = new URL(`../../vectors/${name}.json.gz`, import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    readonly files: Readonly<Record<string, string>>
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
