import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { CHAIN_ALIASES, type ChainAlias } from '@firn/codec'
import { Archive, DecodedBlock } from '@firn/indexer'
import { FuzzError } from '../FuzzError.ts'
import { ofText, type Target } from '../Target.ts'

/**
 * Number of seed lines per chain. Lines of a chain are long and similar, so a few lines from distant heights
 * suffice.
 */
const SEEDS = 12

const linesOf = (chain: ChainAlias): readonly string[] => {
  const path = new URL('../../../../services/indexer/vectors/local.json.gz', import.meta.url)
  const { files } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {
    readonly files: Readonly<Record<string, string>>
  }
  const lines = (files[Archive.FILES[chain]] ?? '').split('\n').filter((line) => line !== '')
  if (lines.length === 0) throw new FuzzError('FUZZ_CORPUS', `no lines of the ${chain}-chain in the archive`)
  const step = Math.ceil(lines.length / SEEDS)
  return lines.filter((line, i) => i % step === 0 && line.length < 20_000)
}

/**
 * Creates a target that parses a line of an archive and decodes its block. If the line is accepted, the block is
 * formatted as a line and parsed again. The result must have the same height.
 */
const target = (chain: ChainAlias): Target =>
  ofText(
    `archive, ${chain}-chain`,
    () => linesOf(chain),
    (text) => {
      const { block } = Archive.parseLine(chain, text, 'input')
      if (block === undefined) return undefined
      const { height, id, time = 0n, bytes, container } = DecodedBlock.decode(chain, block)
      const line = { height, id, time, bytes, ...(container === undefined ? {} : { container }) }
      const again = Archive.parseLine(chain, Archive.formatLine(chain, line), 'output')
      const same = DecodedBlock.decode(chain, again.block ?? block)
      return same.height === height
        ? undefined
        : `the line of block ${height} is read again as block ${same.height}`
    },
  )

/** Targets for the lines of archives, one per chain. */
export const archiveTargets: readonly Target[] = CHAIN_ALIASES.map(target)
