import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CHAIN_ALIASES } from '@firn/codec'
import { Vertices } from '@firn/ledger'
import type { RecordedDag } from '@firn/store/testing'
import * as Archive from '../primary/archive/Archive.ts'

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

/** Writes the vertices and blocks of a network into a folder, without its genesis. For tests only. */
export function writeDag({ genesis, vertices, chains }: Omit<RecordedDag, 'order'>, folder: string): void {
  const lines = vertices.map((bytes) =>
    Archive.formatVertex(Vertices.decode(bytes, genesis.xChain.blockchainId)),
  )
  writeLines(join(folder, Archive.VERTICES), lines)
  for (const chain of CHAIN_ALIASES) {
    const blocks = chains[chain].map(({ bytes, container }, i) => {
      const place = { height: BigInt(i + 1), id: new Uint8Array(32), time: 0n }
      return Archive.formatLine(chain, { ...place, bytes, ...(container === undefined ? {} : { container }) })
    })
    writeLines(join(folder, Archive.FILES[chain]), blocks)
  }
}

/** Writes a file of lines, and its folder. For tests only. */
export function writeLines(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}
