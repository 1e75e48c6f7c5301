import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hex, Id } from '@firn/codec'
import { LedgerState } from '@firn/ledger'
import { AvmBlock, AvmTx } from '@firn/txs'
import * as Archive from '../Archive.ts'
import * as GenesisFiles from '../GenesisFiles.ts'
import { IndexerError } from '../IndexerError.ts'
import type { SourceBlock } from '../Source.ts'

/** Where a recording keeps the transactions that were sent, one line of JSON each. */
const FILE = 'txs_issued.jsonl'

/** True when an archive that lacks the X-chain's blocks tells its transactions. */
export function hasIssued(folder: string): boolean {
  return existsSync(join(folder, FILE))
}

/**
 * Blocks of the X-chain for a recording that has none of them, so that the other chains' imports find what they import: one for
 * each transaction that was sent and accepted, at the time when it was sent. Ids and heights are not those of the network.
 * @throws IndexerError `INDEXER_ARCHIVE`, `INDEXER_GENESIS`; CodecError of malformed transactions
 */
export async function issuedBlocks(folder: string): Promise<SourceBlock[]> {
  const { genesis, constants } = await GenesisFiles.load({ archive: folder, now: 0n })
  let { height, blockId: parentId } = LedgerState.tip(LedgerState.create(genesis, constants), 'X')
  return issuedTxs(folder).map(({ bytes, time, origin }) => {
    height += 1n
    const txs = [AvmTx.decode(bytes)]
    const merkleRoot = Id.EMPTY
    const block = AvmBlock.encode({
      type: 'StandardBlock',
      parentID: parentId,
      height,
      time,
      merkleRoot,
      txs,
    })
    parentId = Id.hash(block)
    return { kind: 'block', bytes: block, origin }
  })
}

function issuedTxs(folder: string) {
  const path = join(folder, FILE)
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((text, i) => {
    if (text === '') return []
    const origin = `${path}:${i + 1}`
    const { chain, error, bytes, time } = parse(text, origin)
    if (chain !== 'X' || error !== undefined || typeof bytes !== 'string') return []
    return [
      {
        bytes: Hex.decode(bytes),
        time: Archive.parseTime(String(time), origin) / 1_000_000_000n,
        origin,
      },
    ]
  })
}

function parse(text: string, origin: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new IndexerError('INDEXER_ARCHIVE', `${origin}: expected JSON`, { cause })
  }
}
